<?php
// file_get_contents with PHP's own HTTP streams, which cannot send chunked bodies.
$job = json_decode(getenv('JOB'), true);
$headers = [];
foreach ($job['headers'] as $name => $value) {
    $headers[] = "$name: $value";
}
$context = stream_context_create([
    'http' => [
        'method' => 'POST',
        'header' => $headers,
        'content' => str_repeat(' ', $job['bytes']),
        'ignore_errors' => true,
        'timeout' => 120,
        'protocol_version' => 1.1,
    ],
    'ssl' => ['cafile' => $job['caFile']],
]);
$outcomes = [];
for ($run = 0; $run < $job['runs']; $run++) {
    $body = @file_get_contents($job['origin'] . $job['path'], false, $context);
    $outcome = $body === false
        ? error_get_last()['message']
        : explode(' ', $http_response_header[0])[1] . ' ' . (json_decode($body, true)['error']['message'] ?? $body);
    $outcomes[$outcome] = ($outcomes[$outcome] ?? 0) + 1;
}
echo json_encode($outcomes), "\n";
