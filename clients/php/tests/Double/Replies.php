<?php

declare(strict_types=1);

namespace BeatMarket\Test\Double;

/** Runs replies.php in a process that ends with this object. */
final class Replies
{
    public readonly string $url;

    /** @var resource */
    private $process;

    /** @var array<int, resource> */
    private array $pipes = [];

    public function __construct()
    {
        $process = proc_open([PHP_BINARY, __DIR__ . '/replies.php'], [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
        if (!is_resource($process)) {
            throw new \RuntimeException('The server could not be started.');
        }
        $this->process = $process;
        $this->pipes = $pipes;
        $this->url = 'http://127.0.0.1:' . trim((string) fgets($this->pipes[1]));
    }

    /**
     * Adds the reply to one more request.
     *
     * @param array<string, int|string> $headers
     * @param int|null                  $bytes   of the body, after which the connection is cut
     */
    public function add(int $status, array $headers = [], string $body = '', ?int $bytes = null): self
    {
        $lines = '';
        foreach ($headers + ['Content-Length' => strlen($body), 'Connection' => 'close'] as $name => $value) {
            $lines .= "{$name}: {$value}\r\n";
        }
        fwrite($this->pipes[0], base64_encode("HTTP/1.1 {$status} X\r\n{$lines}\r\n" . substr($body, 0, $bytes)) . "\n");

        return $this;
    }

    /**
     * The next request that came.
     *
     * @return array{string, string, array<string, string>} method, target, headers by lower-case name
     */
    public function request(): array
    {
        return json_decode((string) fgets($this->pipes[1]), true, flags: JSON_THROW_ON_ERROR);
    }

    public function __destruct()
    {
        array_map(fclose(...), $this->pipes);
        proc_close($this->process);
    }
}
