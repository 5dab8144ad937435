<?php

declare(strict_types=1);

// Measures the client and prints one line of JSON. BEATMARKET_BASE_URL, _API_KEY and _CA_FILE select a service with
// 100,000 beats and a key without limits.

const CALLS = 500;
const LOADS = 7;

require __DIR__ . '/autoload.php';

/** @param list<float> $values */
function median(array $values): float
{
    sort($values);

    return $values[intdiv(count($values), 2)];
}

/** Run time of a new process, in milliseconds. */
function processMs(string $code): float
{
    $start = hrtime(true);
    $process = proc_open([PHP_BINARY, '-r', $code], [], $pipes);
    if (!is_resource($process) || proc_close($process) !== 0) {
        throw new RuntimeException('PHP did not run.');
    }

    return (hrtime(true) - $start) / 1e6;
}

/** Run time of a function, in milliseconds. */
function ms(Closure $call): float
{
    $start = hrtime(true);
    $call();

    return (hrtime(true) - $start) / 1e6;
}

/**
 * @return array{float, float} the time that a function takes, and the CPU time that this process uses in it, in milliseconds
 */
function msWithCpu(Closure $call): array
{
    $before = cpuMs();
    $ms = ms($call);

    return [$ms, cpuMs() - $before];
}

/** Milliseconds of CPU time of this process so far. */
function cpuMs(): float
{
    $usage = getrusage() ?: throw new RuntimeException('getrusage() failed.');

    return ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e3
        + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e3;
}

// Constructing a client loads everything but the models. BeatDetail is the largest model.
$load = sprintf('require %s; new BeatMarket\\Client("bm_key"); class_exists(BeatMarket\\Model\\BeatDetail::class);', var_export(__DIR__ . '/autoload.php', true));
$loads = [];
$handles = [];
$empties = [];
for ($i = 0; $i < LOADS; ++$i) {
    $loads[] = processMs($load);
    $handles[] = processMs('curl_init();');
    $empties[] = processMs('');
}

$client = new BeatMarket\Client();
$handle = curl_init();
if ($handle === false) {
    throw new RuntimeException('curl does not run.');
}
curl_setopt_array($handle, [
    CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1, // Like the client: HTTP/2 costs more.
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_CAINFO => (string) getenv('BEATMARKET_CA_FILE'),
    CURLOPT_ENCODING => '',
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('BEATMARKET_API_KEY'),
        'Accept: application/json',
        'User-Agent: beatmarket-php/' . BeatMarket\Client::VERSION . ' php/' . PHP_VERSION,
    ],
]);
$throughClient = static fn () => $client->beats->get(1);
// The same call written by hand: one reused curl handle with fixed options. Each call sets the URL, checks the status and
// decodes the JSON.
$bare = static function () use ($handle): array {
    curl_setopt($handle, CURLOPT_URL, getenv('BEATMARKET_BASE_URL') . '/beats/1');
    $body = curl_exec($handle);
    if (!is_string($body) || curl_getinfo($handle, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new RuntimeException('The bare call failed: ' . curl_error($handle));
    }

    return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
};
$calls = [];
$bareCalls = [];
$callCpu = 0.0;
$bareCpu = 0.0;
for ($i = -50; $i < CALLS; ++$i) {
    [[$call, $cpu], [$bareCall, $cpuOfBare]] = [msWithCpu($throughClient), msWithCpu($bare)];
    if ($i >= 0) { // Negative: warm-up.
        $calls[] = $call;
        $bareCalls[] = $bareCall;
        $callCpu += $cpu;
        $bareCpu += $cpuOfBare;
    }
}

$count = 0;
$early = 0;
foreach ($client->beats->list(limit: 100, maxItems: 100_000) as $beat) {
    if (++$count === 10_000) {
        gc_collect_cycles();
        $early = memory_get_usage();
    }
}
unset($beat);
gc_collect_cycles();
$late = memory_get_usage();
if ($count !== 100_000) {
    throw new RuntimeException("There are only {$count} beats.");
}

echo json_encode([
    'import_ms' => round(median($loads) - median($empties), 2),
    'http_import_ms' => round(median($handles) - median($empties), 2),
    'idle_ms' => round(median($empties), 2),
    'call_ms' => round(median($calls), 3),
    'bare_ms' => round(median($bareCalls), 3),
    'call_cpu_ms' => round($callCpu / CALLS, 4),
    'bare_cpu_ms' => round($bareCpu / CALLS, 4),
    'growth_kb' => round(($late - $early) / 1024, 1),
], JSON_THROW_ON_ERROR), "\n";
