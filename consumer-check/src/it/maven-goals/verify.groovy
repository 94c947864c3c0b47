def log = new File(basedir, 'build.log').text
[
    'on project maven-goals: threshold not met: Direct Proxy/128M_heap/2_users/500B/0ms_sleep: throughput is ',
    'MojoFailureException',
    'on project maven-goals: regression: a test case or the run as a whole is slower',
    "on project maven-goals: heap '3Q' is not a size; write a whole number with an optional unit K, M or G, e.g. 512M; users must be",
    'MojoExecutionException',
    'Skipped, as tests are',
].each { assert log.contains(it) }
def report = new File(basedir, 'target/again')
assert new File(report, 'index.html').isFile()
assert !new File(report, 'charts').exists()
// Only one of the builds has measured.
assert new File(basedir, 'target/gatebench').list().toList().findAll { it.startsWith('run-') } == ['run-1']
