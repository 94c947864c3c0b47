package com.example.shop;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Forwards orders to the back end. */
@SpringBootApplication
@RestController
public class Shop {

    private final WebClient client;

    Shop(@Value("${backend}") String backend) {
        client = WebClient.create(backend);
    }

    /** Starts the application. */
    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }

    @PostMapping("/orders")
    Mono<byte[]> order(@RequestBody byte[] order) {
        return client.post()
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(order)
                .retrieve()
                .bodyToMono(byte[].class);
    }
}
