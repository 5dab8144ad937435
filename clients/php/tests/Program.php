<?php

declare(strict_types=1);

namespace BeatMarket\Test;

/** Runs PHP in a project where the package is installed. */
final class Program
{
    /**
     * @param string                $source      what runs, unless a file of the package does
     * @param array<string, string> $environment in addition to the current one
     * @param list<string>          $file        a file of the package, and its arguments
     *
     * @return array{int, string, string} exit status, standard output, standard error
     */
    public static function run(string $source, array $environment, array $file = []): array
    {
        $command = [PHP_BINARY, '-d', 'display_errors=stderr', '-d', 'error_reporting=-1', '-d', 'log_errors=0'];
        if ($file !== []) {
            array_push($command, self::package() . '/' . $file[0], ...array_slice($file, 1));
        }
        $streams = [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']];
        $process = proc_open($command, $streams, $pipes, self::folder(), $environment + getenv());
        if (!is_resource($process)) {
            throw new \RuntimeException('PHP could not be started.');
        }
        fwrite($pipes[0], $source);
        fclose($pipes[0]);
        $output = (string) stream_get_contents($pipes[1]);
        $errors = (string) stream_get_contents($pipes[2]);

        return [proc_close($process), $output, $errors];
    }

    /** The project, with vendor/autoload.php. */
    public static function folder(): string
    {
        return dirname((string) getenv('BEATMARKET_AUTOLOAD'), 2);
    }

    /** The folder of the installed package. */
    public static function package(): string
    {
        return (string) getenv('BEATMARKET_PACKAGE');
    }
}
