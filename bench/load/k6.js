// SPDX-License-Identifier: Apache-2.0
import http from 'k6/http';
import { check } from 'k6';

export const options = { vus: Number(__ENV.USERS), duration: `${__ENV.SECONDS}s` };

const size = '1024B';
const head = `{"size":"${size}","payload":"`;
const body = head + 'x'.repeat(1024 - head.length - 2) + '"}';
const parameters = { headers: { 'Content-Type': 'application/json' } };

export default function () {
  const answer = http.post(__ENV.TARGET, body, parameters);
  check(answer, { right: (a) => a.status === 200 && a.body.includes(size) });
}

export function handleSummary(data) {
  return { stdout: `REQUESTS ${data.metrics.http_reqs.values.count} ${data.metrics.checks.values.fails}\n` };
}
