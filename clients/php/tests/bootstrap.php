<?php

declare(strict_types=1);

// The tests run against an installed package; run-tests says where it is, and where the contract's cases are.

require (string) getenv('BEATMARKET_AUTOLOAD');

foreach (['GuzzleHttp/autoload.php', 'GuzzleHttp/Psr7/autoload.php', 'Psr/Log/autoload.php'] as $optional) {
    if (stream_resolve_include_path($optional) !== false) {
        require_once $optional;
    }
}

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'BeatMarket\\Test\\')) {
        require __DIR__ . '/' . strtr(substr($class, 16), '\\', '/') . '.php';
    }
});
