<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;

/**
 * A file that a download is written to.
 *
 * @internal
 */
class LocalFile
{
    private const CHUNK_BYTES = 65_536;

    /** @var resource */
    protected $file;

    /** Where the last write ended; -1 before the first. */
    private int $end = -1;

    /**
     * @param string $mode of fopen()
     *
     * @throws InvalidArgumentException if the file cannot be written
     */
    public function __construct(protected readonly string $path, string $mode = 'c+b')
    {
        $file = @fopen($path, $mode);
        $this->file = $file === false ? throw new InvalidArgumentException("The file {$path} cannot be written.") : $file;
    }

    /**
     * Writes bytes, which are the last of the file from then on. What was there before stays until the first write: a call
     * that fails deletes nothing.
     *
     * @throws InvalidArgumentException if the disk is full
     */
    public function write(string $bytes, int $offset): void
    {
        if ($offset !== $this->end) {
            ftruncate($this->file, $offset);
            fseek($this->file, $offset);
        }
        if (@fwrite($this->file, $bytes) !== strlen($bytes)) {
            throw new InvalidArgumentException("The file {$this->path} cannot be written: is the disk full?");
        }
        $this->end = $offset + strlen($bytes);
    }

    public function close(): void
    {
        if (is_resource($this->file)) {
            fclose($this->file);
        }
    }

    /** @throws InvalidArgumentException if there can be no file of this name */
    public function moveTo(string $path): void
    {
        $this->close();
        if (!@rename($this->path, $path)) {
            throw new InvalidArgumentException("The file {$path} cannot be written.");
        }
    }

    public function delete(): void
    {
        $this->close();
        @unlink($this->path);
    }

    /**
     * The bytes of a file.
     *
     * @return \Generator<int, string>
     */
    public static function chunks(string $path): \Generator
    {
        $file = @fopen($path, 'rb');
        if ($file === false) {
            throw new InvalidArgumentException("The file {$path} cannot be read.");
        }
        try {
            while (is_string($bytes = fread($file, self::CHUNK_BYTES)) && $bytes !== '') {
                yield $bytes;
            }
        } finally {
            fclose($file);
        }
    }
}
