<?php

declare(strict_types=1);

// Loads the classes of this package without Composer: require 'path/to/autoload.php';

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'BeatMarket\\')) {
        return;
    }
    $name = substr($class, 11);
    $file = __DIR__ . '/src/' . strtr($name, '\\', '/') . '.php';
    if (str_starts_with($name, 'Exception\\')) {
        require_once __DIR__ . '/src/exceptions.php';
    } elseif (is_file($file)) {
        require $file;
    } elseif (!str_contains($name, '\\')) {
        require_once __DIR__ . '/src/values.php';
    }
});
