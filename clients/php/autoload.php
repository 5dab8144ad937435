<?php

declare(strict_types=1);

// Loads the classes of this package without Composer: require 'path/to/autoload.php';

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'BeatMarket\\')) {
        return;
    }
    $name = strtr(substr($class, 11), '\\', '/');
    $own = __DIR__ . "/src/{$name}.php";
    require_once is_file($own) ? $own : __DIR__ . '/src/Generated/records.php';
});
