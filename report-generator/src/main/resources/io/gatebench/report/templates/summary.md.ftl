<#-- The published document. Blank lines and spaces count: past releases regenerate byte for byte. -->
<#assign backend = variant == "BACKEND", stacked = onAws && (variant != "GATEWAY" || stacks != "1")>
<#assign delaySource = (variant == "GATEWAY")?then("back-end", "Back-end")>
# ${applicationName} Performance Test Results

<#if backend>
These are the performance test results of a [Netty](https://netty.io/) based Back-end service which echoes back any request
posted to it after a specified period of time. This is the Back-end that is used in the performance tests of WSO2 products.
<#else>
<#if profile == "quick">
These are the results of one short run of automated performance test scenarios, not those of a release.
<#else>
During each release, we execute various automated performance test scenarios and publish the results.
</#if>
</#if>

| Test Scenarios | Description |
| --- | --- |
<#list scenarios as scenario>
| ${scenario.displayName} | ${scenario.description} |
</#list>

Our test client is <#if ownClient>an HTTP client of Gatebench's own, driven by the engine of </#if>[Apache JMeter](https://jmeter.apache.org/index.html). We test each scenario <#if untilSteady>until its load is steady, and for a fixed duration of
time after that<#else>for a fixed duration of
time</#if>. We split the test results into warmup and measurement parts and use the measurement part to compute the
performance metrics.

<#if backend>
We run the Back-end performance tests under different numbers of concurrent users, message sizes (payloads) and Back-end service
delays.
<#else>
Test scenarios use a [Netty](https://netty.io/) based back-end service which echoes back any request
posted to it after a specified period of time.

We run the performance tests under different numbers of concurrent users, message sizes (payloads) and back-end service
delays.
</#if>

The main performance metrics:

1. **Throughput**: The number of requests that the ${applicationName} processes during a specific time interval (e.g. per second).
2. **Response Time**: The end-to-end latency for an operation of invoking <#if variant == "INTEGRATION">a service in ${applicationName} .<#else>an API.</#if> The complete distribution of response times was recorded.

In addition to the above metrics, we measure the load average and several memory-related metrics.

The following are the test parameters.

| Test Parameter | Description | Values |
| --- | --- | --- |
| Scenario Name | The name of the test scenario. | Refer to the above table. |
| Heap Size | The amount of memory allocated to the application | ${heaps} |
| Concurrent Users | The number of users accessing the application at the same time. | ${users} |
<#if sizes?has_content>
| Message Size (Bytes) | The request payload size in Bytes. | ${sizes} |
</#if>
<#if queries?has_content>
| GraphQL Query | The GraphQL query number. | ${queries} |
</#if>
<#if elements?has_content>
| Number of Elements | The number of elements in the request payload. | ${elements} |
</#if>
| Back-end Delay (ms) | The delay added by the ${delaySource} service. | ${delays} |
<#if cpuLimit?has_content>
| Container CPU Limit | The number of CPUs that the container of the application may use | ${cpuLimit} |
</#if>
<#if memoryLimit?has_content>
| Container Memory Limit | The amount of memory that the container of the application may use | ${memoryLimit} |
</#if>
<#if plannedCpus?has_content>
| Gateway CPUs | The number of CPUs that the application has for itself | ${plannedCpus} |
</#if>

The duration of each test is **${duration}**. The warm-up period is **${warmUp}**.
The measurement results are collected after the warm-up period.

<#if stacked>
<#if variant == "GATEWAY" && instanceType?has_content>
A [**${instanceType}** Amazon EC2 instance](https://aws.amazon.com/ec2/instance-types/) was used to install ${applicationName} in each stack.

</#if>
The performance tests were executed on ${stacks} AWS CloudFormation stack<#if stacks != "1">s</#if>.

<#if !backend>

</#if>
<#list systems as system>
System information for ${applicationName} in ${system.ordinal} AWS CloudFormation stack.

| Class | Subclass | Description | Value |
| --- | --- | --- | --- |
<#list system.rows as row>
| ${row.systemClass} | ${row.subclass} | ${row.description} | ${row.value} |
</#list>
</#list>

<#if !backend>

</#if>
<#elseif instanceType?has_content>
A [**${instanceType}** Amazon EC2 instance](https://aws.amazon.com/ec2/instance-types/) was used to install ${applicationName}.<#if container?has_content> ${container}</#if>

<#else>
${machine}<#if container?has_content> ${container}</#if>

<#list systems as system>
System information for ${system.host}.

| Class | Subclass | Description | Value |
| --- | --- | --- | --- |
<#list system.rows as row>
| ${row.systemClass} | ${row.subclass} | ${row.description} | ${row.value} |
</#list>

</#list>
</#if>
The following are the measurements collected from each performance test conducted for a given combination of
test parameters.

| Measurement | Description |
| --- | --- |
| Error % | Percentage of requests with errors |
| Average Response Time (ms) | The average response time of a set of results |
| Standard Deviation of Response Time (ms) | The “Standard Deviation” of the response time. |
| 99th Percentile of Response Time (ms) | 99% of the requests took no more than this time. The remaining samples took at least as long as this |
| Throughput (Requests/sec) | The throughput measured in requests per second. |
| Average Memory Footprint After Full GC (M) | The average memory consumed by the application after a full garbage collection event. |

The following is the summary of performance test results collected for the measurement period.

${table}<#if remarks?has_content>
The following must be known about these results.

<#list remarks as remark>
- ${remark}
</#list>
</#if><#if scaling?has_content>

Requests per second, in brackets per processor of all replicas together, and the 99th percentile of the response times, for each number of processors, size of memory and number of replicas that the gateway had or was limited to; the verdict of the row where it is not valid.

| Test Case |<#list limits as limit> ${limit} |</#list>
| --- |<#list limits as limit> ---: |</#list>
<#list scaling as row>
| <#list row as cell>${cell}<#sep> | </#sep></#list> |
</#list>
</#if><#if openLoads?has_content>

Requests were sent at a given rate; so many users had a request under way at once at the most.

<#list openLoads as openLoad>
- ${openLoad}
</#list>
</#if><#if missed?has_content>

These thresholds were not met.

<#list missed as line>
- ${line}
</#list>
</#if><#if verdicts?has_content>

Each row was judged by its own figures.

| Test Case | Verdict | Reasons |
| --- | --- | --- |
<#list verdicts as verdict>
| ${verdict.id} | ${verdict.level} | ${verdict.reasons} |
</#list>
</#if><#if exactGc?has_content>

The GC throughput in the published columns is that of the published formula, from the first to the last event of the log. These figures are exact: over the whole life of each process.

| Test Case | Process | Time Outside of GC Pauses (%) | Largest Heap (M) | Mean Heap After Full GC (M) |
| --- | --- | ---: | ---: | ---: |
<#list exactGc as gc>
| ${gc.id} | ${gc.process} | ${gc.throughput} | ${gc.footprint} | ${gc.after} |
</#list>
</#if><#if overheads?has_content>

The same load was sent straight to the back end, too. The overhead is the response time through the gateway minus the one without it, in milliseconds, with a 95 % interval from blocks of both windows; its verdict holds what speaks against either of the two runs.

| Test Case | Mean Overhead (ms) | Overhead of the 99th Percentile (ms) | Verdict | Reasons |
| --- | ---: | ---: | --- | --- |
<#list overheads as overhead>
| ${overhead.id} | ${overhead.mean} | ${overhead.p99} | ${overhead.level} | ${overhead.reasons} |
</#list>
</#if><#if unmeasured?has_content>

The following test cases have no row.

<#list unmeasured as line>
- ${line}
</#list>
</#if><#if gaps?has_content>

A cell is `N/A`, or empty, for one of these reasons.

<#list gaps as gap>
- ${gap}
</#list>
</#if>
