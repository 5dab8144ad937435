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

    /**
     * @param string $mode of fopen()
     *
     * @throws InvalidArgumentException if the file cannot be written
     */
    public function __construct(protected readonly string $path, string $mode = 'w+b')
    {
        $file = @fopen($path, $mode);
        $this->file = $file === false ? throw new InvalidArgumentException("The file {$path} cannot be written.") : $file;
    }

    /** @throws InvalidArgumentException if the disk is full */
    public function write(string $bytes, int $offset): void
    {
        if ($offset !== ftell($this->file)) {
            ftruncate($this->file, $offset);
            fseek($this->file, $offset);
        }
        if (@fwrite($this->file, $bytes) !== strlen($bytes)) {
            throw new InvalidArgumentException("The file {$this->path} cannot be written: is the disk full?");
        }
    }

    public function close(): void
    {
        if (is_resource($this->file)) {
            fclose($this->file);
        }
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
