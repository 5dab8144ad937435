<?php

declare(strict_types=1);

// A small HTTP server with keep-alive whose path selects a behaviour. Prints its port; ends with its parent process.

$server = stream_socket_server('tcp://127.0.0.1:0') ?: throw new RuntimeException('no socket');
fwrite(STDOUT, substr(strrchr((string) stream_socket_get_name($server, false), ':') ?: '', 1) . "\n");

/** @var array<int, resource> $connections */
$connections = [];
$buffers = [];
$accepted = 0;
$requests = 0;
while (true) {
    $readable = [$server, STDIN, ...$connections];
    $none = null;
    stream_select($readable, $none, $none, null);
    foreach ($readable as $stream) {
        if ($stream === STDIN) {
            exit(0); // The parent process has ended.
        }
        if ($stream === $server) {
            $connection = stream_socket_accept($server);
            if ($connection !== false) {
                $connections[(int) $connection] = $connection;
                $buffers[(int) $connection] = '';
                ++$accepted;
            }
            continue;
        }
        $id = (int) $stream;
        $bytes = fread($stream, 65536);
        if ($bytes === '' || $bytes === false) {
            fclose($stream);
            unset($connections[$id]);
            continue;
        }
        $buffers[$id] .= $bytes;
        [$head, $body] = explode("\r\n\r\n", $buffers[$id], 2) + [1 => null];
        $length = preg_match('/^content-length: *(\d+)/im', $head, $match) === 1 ? (int) $match[1] : 0;
        if ($body === null || strlen($body) < $length) {
            continue;
        }
        $buffers[$id] = '';
        ++$requests;
        [$method, $path] = explode(' ', $head, 3);
        $headers = [];
        foreach (array_slice(explode("\r\n", $head), 1) as $line) {
            [$name, $value] = explode(': ', $line, 2);
            $headers[strtolower($name)] = $value;
        }
        $echo = json_encode([
            'status' => 'success',
            'data' => ['method' => $method, 'path' => $path, 'headers' => $headers, 'body' => $body, 'accepted' => $accepted, 'requests' => $requests],
        ]);
        $response = "HTTP/1.1 200 OK\r\nContent-Length: " . strlen((string) $echo) . "\r\nX-Two: a\r\nx-two:  b \r\n\r\n{$echo}";
        $sent = match (explode('?', $path)[0]) {
            '/stall' => '',
            '/stall-body' => "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
            '/cut' => "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
            '/drop' => '',
            '/events' => "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: 7\ndata: {\"id\":\"evt_7\",\"type\":\"x\",\"data\":{}}\n\n",
            '/nonsense' => "nonsense\r\n\r\n",
            '/interim' => "HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n{$response}",
            '/elsewhere' => "HTTP/1.1 302 Found\r\nLocation: /echo\r\nContent-Length: 0\r\n\r\n",
            '/gzip' => "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " . strlen((string) gzencode('[7]')) . "\r\n\r\n" . gzencode('[7]'),
            '/endless' => "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" . str_repeat('x', 66 * 1024 * 1024),
            default => $method === 'HEAD' ? "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n" : $response,
        };
        @fwrite($stream, $sent);
        if (in_array($path, ['/cut', '/drop', '/nonsense', '/endless'], true)) {
            fclose($stream);
            unset($connections[$id]);
        }
    }
}
