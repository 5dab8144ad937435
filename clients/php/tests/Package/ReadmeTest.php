<?php

declare(strict_types=1);

namespace BeatMarket\Test\Package;

use BeatMarket\Test\LiveCase;
use BeatMarket\Test\Program;

/** Runs the README's programs against the service, in the project that run-tests installed by the README's lines. */
final class ReadmeTest extends LiveCase
{
    /** @dataProvider blocks */
    public function testEachBlockRuns(string $first, string $block): void
    {
        if (str_contains($block, 'events->stream')) { // An account without events would wait for one.
            self::client()->users->updateProfile(bio: bin2hex(random_bytes(8)));
        }
        self::writeNoise(Program::folder() . '/beat.wav');
        // Later blocks continue the first one, without its output. Guzzle comes from PHP's include path.
        $opening = strstr($first, "\nforeach", true) . "\n";
        $guzzle = str_contains($block, 'GuzzleHttp') ? "require_once 'GuzzleHttp/autoload.php';\n" : '';
        [$status, $output, $errors] = Program::run($block === $first ? $first : $opening . $guzzle . self::importsFirst($block), [
            'BEATMARKET_API_KEY' => self::setting('API_KEY'),
            'BEATMARKET_BASE_URL' => self::setting('BASE_URL'),
            'BEATMARKET_CA_FILE' => self::setting('CA_FILE'),
        ]);
        self::assertSame([0, ''], [$status, $errors], $block);
        self::assertNotSame('', $output);
    }

    /** @return iterable<int, array{string, string}> */
    public static function blocks(): iterable
    {
        preg_match_all('/^```php\n(.*?)^```/ms', (string) file_get_contents(Program::package() . '/README.md'), $match);
        self::assertGreaterThan(8, count($match[1]));
        foreach ($match[1] as $block) {
            yield [$match[1][0], $block];
        }
    }

    /** A recording of its own, which nobody has published. */
    private static function writeNoise(string $path): void
    {
        $bytes = random_bytes(8_000 * 2 * 3);
        $head = pack('a4Va8VvvVVvva4V', 'RIFF', 36 + strlen($bytes), 'WAVEfmt ', 16, 1, 1, 8_000, 16_000, 2, 16, 'data', strlen($bytes));
        file_put_contents($path, $head . $bytes);
    }

    private static function importsFirst(string $block): string
    {
        preg_match_all('/^use .*;\n/m', $block, $uses);

        return implode($uses[0]) . preg_replace('/^use .*;\n/m', '', $block);
    }
}
