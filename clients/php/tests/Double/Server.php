<?php

declare(strict_types=1);

namespace BeatMarket\Test\Double;

/** Runs server.php in a process that ends with this object. */
final class Server
{
    public readonly string $url;

    /** @var resource */
    private $process;

    /** @var array<int, resource> */
    private array $pipes = [];

    public function __construct()
    {
        $process = proc_open([PHP_BINARY, __DIR__ . '/server.php'], [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
        if (!is_resource($process)) {
            throw new \RuntimeException('The server could not be started.');
        }
        $this->process = $process;
        $this->pipes = $pipes;
        $this->url = 'http://127.0.0.1:' . trim((string) fgets($this->pipes[1]));
    }

    public function __destruct()
    {
        array_map(fclose(...), $this->pipes);
        proc_close($this->process);
    }
}
