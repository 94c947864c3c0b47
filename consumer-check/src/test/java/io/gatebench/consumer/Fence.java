/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a Markdown document.
 *
 * @param line the line of its opening fence, from 1
 * @param language what follows the fence, e.g. {@code sh}
 * @param text the lines between the fences, without the indentation of the fence
 * @param comment the HTML comment on the line before the fence, if there is one
 */
record Fence(int line, String language, String text, Optional<String> comment) {

    private static final Pattern OPENING = Pattern.compile("^(\\s*)```\\s*(\\S*).*$");
    private static final Pattern COMMENT = Pattern.compile("^\\s*<!--\\s*(.*?)\\s*-->\\s*$");

    /** Returns the blocks of a document in their order. */
    static List<Fence> of(List<String> lines) {
        List<Fence> fences = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher opening = OPENING.matcher(lines.get(i));
            if (!opening.matches()) {
                continue;
            }
            int begin = i;
            String indent = opening.group(1);
            StringBuilder text = new StringBuilder();
            for (i++; i < lines.size() && !lines.get(i).strip().equals("```"); i++) {
                String line = lines.get(i);
                text.append(line.startsWith(indent) ? line.substring(indent.length()) : line)
                        .append('\n');
            }
            Matcher comment = COMMENT.matcher(begin == 0 ? "" : lines.get(begin - 1));
            fences.add(new Fence(
                    begin + 1,
                    opening.group(2),
                    text.toString(),
                    comment.matches() ? Optional.of(comment.group(1)) : Optional.empty()));
        }
        return fences;
    }

    /** Returns the rest of the comment if it begins with a word and a colon. */
    Optional<String> comment(String word) {
        return comment.filter(text -> text.startsWith(word + ":"))
                .map(text -> text.substring(word.length() + 1).strip());
    }
}
