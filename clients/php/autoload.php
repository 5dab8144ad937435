<?php

declare(strict_types=1);

// Loads the classes of this package without Composer: require 'path/to/autoload.php';

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'BeatMarket\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, 11), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
