<?php

declare(strict_types=1);

// Loads the classes of this package without Composer: require 'path/to/autoload.php';

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'BeatMarket\\')) {
        return;
    }
    $name = strtr(substr($class, 11), '\\', '/');
    $own = __DIR__ . "/src/{$name}.php";
    $files = is_file($own) ? [$own] : match (explode('/', $name)[0]) {
        'Exception' => [__DIR__ . '/src/exceptions.php'],
        'Calls' => [__DIR__ . '/src/calls.php'],
        default => [__DIR__ . '/src/values.php', __DIR__ . '/src/Generated/records.php'],
    };
    foreach ($files as $file) {
        require_once $file;
    }
});
