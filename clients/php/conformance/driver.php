<?php

declare(strict_types=1);

// The PHP driver; clients/conformance/README.md describes the protocol.

require dirname(__DIR__) . '/autoload.php';
foreach (['actions', 'lists', 'processes', 'results', 'secrets', 'describe'] as $name) {
    require __DIR__ . "/{$name}.php";
}

// Standard input is a socket if Node started this, and PHP takes one that is idle for 60 s for ended.
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
