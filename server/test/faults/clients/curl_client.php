<?php
// PHP's curl extension.
$job = json_decode(getenv('JOB'), true);
$outcomes = [];
for ($run = 0; $run < $job['runs']; $run++) {
    $headers = [];
    foreach ($job['headers'] as $name => $value) {
        $headers[] = "$name: $value";
    }
    if (!isset($job['headers']['Expect'])) {
        $headers[] = 'Expect:';
    }
    $curl = curl_init($job['origin'] . $job['path']);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_CAINFO => $job['caFile'], CURLOPT_TIMEOUT => 120]);
    if ($job['isChunked']) {
        $left = $job['bytes'];
        $headers[] = 'Transfer-Encoding: chunked';
        curl_setopt_array($curl, [
            CURLOPT_UPLOAD => true,
            CURLOPT_CUSTOMREQUEST => 'POST',
            CURLOPT_READFUNCTION => function ($curl, $file, $length) use (&$left) {
                $length = min($length, $left);
                $left -= $length;
                return str_repeat(' ', $length);
            },
        ]);
    } else {
        curl_setopt($curl, CURLOPT_POSTFIELDS, str_repeat(' ', $job['bytes']));
    }
    curl_setopt($curl, CURLOPT_HTTPHEADER, $headers);
    $body = curl_exec($curl);
    $outcome = $body === false
        ? curl_error($curl)
        : curl_getinfo($curl, CURLINFO_RESPONSE_CODE) . ' ' . (json_decode($body, true)['error']['message'] ?? $body);
    $outcomes[$outcome] = ($outcomes[$outcome] ?? 0) + 1;
}
echo json_encode($outcomes), "\n";
