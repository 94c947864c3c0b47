// SPDX-License-Identifier: Apache-2.0
import http from 'k6/http';
import { check } from 'k6';

// With a rate requests start at their time whatever the answers; enough users are there from the start.
const load = __ENV.RATE
  ? {
      scenarios: {
        open: {
          executor: 'constant-arrival-rate',
          rate: Number(__ENV.RATE),
          duration: `${__ENV.SECONDS}s`,
          preAllocatedVUs: Number(__ENV.USERS),
        },
      },
    }
  : { vus: Number(__ENV.USERS), duration: `${__ENV.SECONDS}s` };
// The certificate of the echo is made at its start.
export const options = { ...load, insecureSkipTLSVerify: true, summaryTrendStats: ['p(50)', 'p(99)', 'p(99.9)'] };

const size = '1024B';
const head = `{"size":"${size}","payload":"`;
const body = head + 'x'.repeat(1024 - head.length - 2) + '"}';
const parameters = { headers: { 'Content-Type': 'application/json' } };

export default function () {
  const answer = http.post(__ENV.TARGET, body, parameters);
  check(answer, { right: (a) => a.status === 200 && a.body.includes(size) });
}

export function handleSummary(data) {
  const times = data.metrics.http_req_duration.values;
  return {
    stdout:
      `REQUESTS ${data.metrics.http_reqs.values.count} ${data.metrics.checks.values.fails}\n` +
      `TIMES ${times['p(50)'].toFixed(2)} ${times['p(99)'].toFixed(2)} ${times['p(99.9)'].toFixed(2)} -\n`,
  };
}
