<#macro observations list><#if list?has_content>
Key observations:

<#list list as sentence>
- ${sentence}
</#list>

</#if></#macro>
<#macro chart title name><#if charts?seq_contains(name)>
![${title}](charts/${name}.png)

</#if></#macro>
# Performance Test Results

The performance of ${applicationName} was measured with these scenarios:

<#list scenarios as scenario>
- ${scenario.displayName}: ${scenario.description}
</#list>

<#if !rowsPresent>
Nothing was measured, so there is nothing to show.
<#else>
<#if usersAlwaysWait>
The tests ran with ${users} concurrent users and the message levels ${sizes}. Concurrent users are users that send their next request as soon as the last one is answered.
<#else>
The tests ran with ${users} concurrent users and the message levels ${sizes}. Users did not send their next request as soon as the last one was answered:

<#list remarks as remark>
- ${remark}
</#list>
</#if>

- Throughput: requests that the gateway answered per second, failed ones included.
- Response time: from the start of a request to the last byte of its answer.

## Deployment used for the test

| Name | Host | Instance Type | vCPU | Memory |
| --- | --- | --- | ---: | ---: |
<#list deployment as machine>
| ${machine.name} | ${machine.host} | ${machine.type} | ${machine.cpus} | ${machine.memory} |
</#list>
<#if container?has_content>

${container}
</#if>

<#list versionLines as line>
- ${line}
</#list>

<#list remarks as remark>
- ${remark}
</#list>

The <#if charts?has_content>charts below show<#else>sections below are about</#if> ${size} messages, a heap of ${heap} and a back-end delay of ${delayName}. All rows are in [summary.md](summary.md).
<#if left?has_content>

These rows are doubtful or invalid by their verdicts and back no sentence of this page: ${left?join(", ")}.
</#if>

## Throughput

<@chart "Throughput vs Concurrent Users" throughputChart/>
<@observations throughputObservations/>
## Average response time

<@chart "Average Response Time vs Concurrent Users" timeChart/>
<@observations timeObservations/>
<#if overheads?has_content>
The overhead is the response time through the gateway minus that of the same load straight at the back end, in milliseconds, with its 95 % interval.

| Test Case | Mean Overhead (ms) | Overhead of the 99th Percentile (ms) | Verdict | Reasons |
| --- | ---: | ---: | --- | --- |
<#list overheads as overhead>
| ${overhead.id} | ${overhead.mean} | ${overhead.p99} | ${overhead.level} | ${overhead.reasons} |
</#list>

</#if>
## Response time percentiles

A percentile is the time within which that part of the requests was answered. ${percentileExample}

<@chart "Response Time Percentiles" percentileChart/>
<@observations percentileObservations/>
<#if gcPresent>
## GC throughput

The GC throughput is the part of its run time that the gateway did not spend in GC pauses: with 30 seconds of pauses in 10 minutes it is (1 - 30/600) x 100 = 95 %. Over 90 % the heap was large enough for what was asked of it.
<#if gcFlags?has_content>

The gateway was started with these flags for its collector and its GC log:

```
${gcFlags}
```
</#if>

<@chart "GC Throughput vs Concurrent Users" gcChart/>
<@observations gcObservations/>
</#if>
<#assign compared = ["lmplot-throughput-concurrent-users-" + heap, "lmplot-throughput-" + messageFile + "-" + heap, "lmplot-average-response-time-concurrent-users-" + heap, "lmplot-average-response-time-" + messageFile + "-" + heap]>
<#if compared?filter(name -> charts?seq_contains(name))?has_content>
## Comparison of results

<@chart "Throughput vs concurrent users" compared[0]/>
<@chart "Throughput vs message" compared[1]/>
<@chart "Average response time vs concurrent users" compared[2]/>
<@chart "Average response time vs message" compared[3]/>
</#if>
</#if>
