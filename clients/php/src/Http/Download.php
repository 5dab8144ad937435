<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;

/**
 * Takes the body of a response over several attempts, and writes it to a file.
 *
 * @internal
 */
final class Download
{
    public int $position = 0;
    private ?string $etag = null;
    private int $bytes = 0;
    private int $bytesBefore = 0;

    /** @param resource $file */
    public function __construct(private readonly mixed $file)
    {
    }

    /**
     * Asks for the rest, if the service still has the same export. From the last byte that came: a range may not be empty.
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
        if (!ctype_digit($headers['x-change-position'] ?? '')) {
            throw new APIConnectionException('The response is no export: it has no X-Change-Position.', isRetryable: false);
        }
        $this->position = (int) $headers['x-change-position'];
        $this->etag = $headers['etag'] ?? null;
        $this->bytes = $status === 206 ? $this->bytes - 1 : 0;
        ftruncate($this->file, $this->bytes);
        fseek($this->file, $this->bytes);

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
}
