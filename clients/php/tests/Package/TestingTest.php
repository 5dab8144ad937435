<?php

declare(strict_types=1);

namespace BeatMarket\Test\Package;

use BeatMarket\Test\Program;
use PHPUnit\Framework\TestCase;

/** The tools of users accept the package: PHPUnit runs the README's tests, and Composer validates the package. */
final class TestingTest extends TestCase
{
    public function testTheTestsInTheReadmePass(): void
    {
        preg_match('/^```php BeatsTest\.php\n(.*?)^```/ms', (string) file_get_contents(Program::package() . '/README.md'), $match);
        $file = Program::folder() . '/BeatsTest.php';
        file_put_contents($file, $match[1]);
        $command = ['phpunit', '--no-configuration', '--bootstrap', (string) getenv('BEATMARKET_AUTOLOAD'), $file];
        [$status, $output] = self::outputOf($command, Program::folder());
        self::assertSame(0, $status, $output);
        self::assertStringContainsString('OK (3 tests', $output);
    }

    public function testComposerAcceptsThePackage(): void
    {
        [$status, $output] = self::outputOf(['composer', 'validate', '--strict', '--no-interaction'], Program::package());
        self::assertSame(0, $status, $output);
    }

    /**
     * @param list<string> $command
     *
     * @return array{int, string} exit status and output
     */
    private static function outputOf(array $command, string $folder): array
    {
        $environment = ['COMPOSER_ALLOW_SUPERUSER' => '1', 'COMPOSER_DISABLE_NETWORK' => '1'];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes, $folder, $environment + getenv());
        if (!is_resource($process)) {
            throw new \RuntimeException("{$command[0]} could not be started.");
        }
        $output = (string) stream_get_contents($pipes[1]);

        return [proc_close($process), $output];
    }
}
