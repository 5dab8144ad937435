<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;

/**
 * Takes the body of a response over several attempts, and writes it to a file. Goes on where an attempt broke if the service
 * names the state of what it sends (ETag), else begins anew.
 *
 * @internal
 */
class Download
{
    /** @var resource */
    protected $file;

    protected int $bytes = 0;
    private ?string $etag = null;
    private int $bytesBefore = 0;

    /**
     * @param string $mode of fopen()
     *
     * @throws InvalidArgumentException if the file cannot be written
     */
    public function __construct(string $path, string $mode = 'w+b')
    {
        $file = @fopen($path, $mode);
        if ($file === false) {
            throw new InvalidArgumentException("The file {$path} cannot be written.");
        }
        $this->file = $file;
    }

    /**
     * Asks for the rest, if the service still has the same. From the last byte that came: a range may not be empty.
     *
     * @return array<string, string>
     */
    public function headers(): array
    {
        return $this->bytes === 0 || $this->etag === null
            ? []
            : ['Range' => 'bytes=' . ($this->bytes - 1) . '-', 'If-Range' => $this->etag];
    }

    /**
     * Whether this response has a body for the file.
     *
     * @param array<string, string> $headers by lower-case name
     */
    public function begin(int $status, array $headers): bool
    {
        if ($status !== 200 && $status !== 206) {
            return false;
        }
        $this->etag = $headers['etag'] ?? null;
        $this->goOnFrom($status === 206 ? $this->bytes - 1 : 0);

        return true;
    }

    /** @return int the bytes written; fewer than there are when the disk is full */
    public function write(string $bytes): int
    {
        $written = (int) fwrite($this->file, $bytes);
        $this->bytes += $written;

        return $written;
    }

    /** Whether something came since the last call: then the attempts are counted anew. */
    public function hasAdvanced(): bool
    {
        $hasAdvanced = $this->bytes > $this->bytesBefore;
        $this->bytesBefore = $this->bytes;

        return $hasAdvanced;
    }

    public function close(): void
    {
        if (is_resource($this->file)) {
            fclose($this->file);
        }
    }

    protected function goOnFrom(int $bytes): void
    {
        $this->bytes = $bytes;
        ftruncate($this->file, $bytes);
        fseek($this->file, $bytes);
    }
}
