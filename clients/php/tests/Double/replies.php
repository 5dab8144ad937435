<?php

declare(strict_types=1);

// An HTTP server that answers each request with the next reply of its standard input, a line of base64, and closes the
// connection. Prints its port, then each request as a line of JSON. Ends with its parent process.

$server = stream_socket_server('tcp://127.0.0.1:0') ?: throw new RuntimeException('no socket');
fwrite(STDOUT, substr(strrchr((string) stream_socket_get_name($server, false), ':') ?: '', 1) . "\n");

/** @var list<string> $replies */
$replies = [];
while (true) {
    $readable = $replies === [] ? [STDIN] : [STDIN, $server];
    $none = null;
    stream_select($readable, $none, $none, null);
    if (in_array(STDIN, $readable, true)) {
        $line = fgets(STDIN);
        $replies[] = $line === false ? exit(0) : (string) base64_decode($line, true);
        continue;
    }
    $connection = stream_socket_accept($server);
    if ($connection === false) {
        continue;
    }
    [$method, $target] = explode(' ', (string) fgets($connection), 3) + [1 => ''];
    $headers = [];
    while (is_string($line = fgets($connection)) && trim($line) !== '') {
        [$name, $value] = explode(':', trim($line), 2);
        $headers[strtolower($name)] = trim($value);
    }
    fwrite(STDOUT, json_encode([$method, $target, $headers], JSON_THROW_ON_ERROR) . "\n");
    @fwrite($connection, (string) array_shift($replies));
    fclose($connection);
}
