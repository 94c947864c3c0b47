/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import javax.imageio.ImageIO;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PngFileTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 7", "640, 480", "2592, 1410"})
    void isReadBackPixelByPixel(int width, int height) throws IOException {
        int[] pixels = new Random(7).ints((long) width * height, 0, 1 << 24).toArray();

        byte[] file = PngFile.of(
                width, height, 3, top -> Arrays.copyOfRange(pixels, top * width, Math.min(height, top + 3) * width));

        BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));

        assertThat(image.getWidth()).isEqualTo(width);
        assertThat(image.getHeight()).isEqualTo(height);
        int[] read = image.getRGB(0, 0, width, height, null, 0, width);
        for (int i = 0; i < read.length; i++) {
            read[i] &= 0xffffff;
        }
        assertThat(read).isEqualTo(pixels);
    }
}
