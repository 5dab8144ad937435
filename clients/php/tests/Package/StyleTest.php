<?php

declare(strict_types=1);

namespace BeatMarket\Test\Package;

use BeatMarket\Test\Program;
use PHPUnit\Framework\TestCase;

final class StyleTest extends TestCase
{
    public function testTheSourceKeepsToPsr12(): void
    {
        exec('command -v phpcs', $found);
        if ($found === []) {
            self::markTestSkipped('PHP_CodeSniffer is not installed (php-codesniffer).');
        }
        $folders = array_map(static fn (string $name): string => Program::package() . "/{$name}", ['src', 'autoload.php']);
        exec('phpcs --standard=PSR12 -n --report=emacs ' . implode(' ', array_map(escapeshellarg(...), $folders)), $lines, $status);
        self::assertSame([[], 0], [$lines, $status]);
        $generated = array_map(static fn (string $name): string => Program::package() . "/src/{$name}", ['Generated', 'Model', 'Page', 'Resource', 'Value']);
        exec('phpcs --standard=PSR12 --report=emacs ' . implode(' ', array_map(escapeshellarg(...), $generated)), $lines, $status);
        self::assertSame([[], 0], [$lines, $status]); // Without -n: no warnings, such as for lines over 120 columns.
    }
}
