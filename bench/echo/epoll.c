/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of an HTTP echo: one thread, epoll, no parser beyond the end of the head and Content-Length, no checks.
 * Answers each request with its body. Argument: the port on the loopback address. Requests of up to 64 KiB.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIZE = 1 << 16, EVENTS = 256 };

struct connection {
    int fd;
    size_t filled;
    char data[SIZE];
};

/* Answers what lies complete at the begin of the data; 1 to go on, 0 where more must come, -1 to close. */
static int answer(struct connection *c) {
    char *end = memmem(c->data, c->filled, "\r\n\r\n", 4);
    if (!end) {
        return c->filled == SIZE ? -1 : 0;
    }
    size_t head = end + 4 - c->data, length = 0;
    *end = 0;
    char *field = strcasestr(c->data, "\r\ncontent-length:");
    if (field) {
        length = strtoul(field + 17, NULL, 10);
    }
    *end = '\r';
    if (head + length > SIZE) {
        return -1;
    }
    if (head + length > c->filled) {
        return 0;
    }
    char text[128];
    int n = snprintf(
        text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", length);
    struct iovec parts[] = {{text, n}, {c->data + head, length}};
    /* A connection of the bench never holds more than one answer, which fits into the socket's buffer. */
    if (writev(c->fd, parts, 2) != (ssize_t) (n + length)) {
        return -1;
    }
    c->filled -= head + length;
    memmove(c->data, c->data + head + length, c->filled);
    return c->filled > 0;
}

static void serve(struct connection *c) {
    ssize_t n = read(c->fd, c->data + c->filled, SIZE - c->filled);
    int next = n > 0 ? 1 : -1;
    if (n > 0) {
        c->filled += n;
    }
    while (next > 0) {
        next = answer(c);
    }
    if (next < 0) {
        close(c->fd);
        free(c);
    }
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: epoll PORT\n");
        return 2;
    }
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poll = epoll_create1(0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *) &address, sizeof address) || listen(listener, 4096)) {
        perror("epoll");
        return 1;
    }
    struct epoll_event event = {.events = EPOLLIN}, events[EVENTS];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(poll, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr) {
                serve(events[i].data.ptr);
                continue;
            }
            int fd;
            while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                struct connection *c = malloc(sizeof *c);
                c->fd = fd;
                c->filled = 0;
                event.data.ptr = c;
                epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
            }
            event.data.ptr = NULL;
        }
    }
}
