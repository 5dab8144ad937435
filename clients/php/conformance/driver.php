<?php

declare(strict_types=1);

// The PHP driver; clients/conformance/README.md describes the protocol.

require dirname(__DIR__) . '/autoload.php';
foreach (['actions', 'lists', 'processes', 'results', 'secrets', 'describe'] as $name) {
    require __DIR__ . "/{$name}.php";
}

// If Node started this program, standard input is a socket. PHP would treat a socket that is idle for 60 s as ended.
stream_set_timeout(STDIN, -1);
while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    try {
        $reply = ['result' => BeatMarket\Conformance\act($request['action'], $request['client'] ?? [], $request['args'] ?? [])];
    } catch (BeatMarket\Conformance\Unsupported $unsupported) {
        $reply = ['unsupported' => $unsupported->getMessage()];
    }
    fwrite(STDOUT, json_encode(['id' => $request['id']] + $reply, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES) . "\n");
}
