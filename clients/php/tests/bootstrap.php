<?php

declare(strict_types=1);

// The tests run against an installed package. run-tests sets the paths of the package and of the shared test vectors.
// Guzzle and psr/log come from PHP's include path (Debian's packages).

require (string) getenv('BEATMARKET_AUTOLOAD');

foreach (['GuzzleHttp/autoload.php', 'GuzzleHttp/Psr7/autoload.php', 'Psr/Log/autoload.php'] as $package) {
    require_once $package;
}

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'BeatMarket\\Test\\')) {
        require __DIR__ . '/' . strtr(substr($class, 16), '\\', '/') . '.php';
    }
});
