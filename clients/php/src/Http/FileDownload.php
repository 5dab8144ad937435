<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;

/** @internal A download into a file. With the mode c+b, the file is unchanged until the first bytes arrive. */
class FileDownload extends Download
{
    /** @var resource */
    protected $file;

    /** @param string $mode of fopen() */
    public function __construct(protected readonly string $path, string $mode)
    {
        $this->file = @fopen($path, $mode) ?: throw new InvalidArgumentException("The file {$path} cannot be written.");
    }

    protected function take(string $bytes): void
    {
        if ($this->offset !== $this->end) {
            ftruncate($this->file, $this->offset);
            fseek($this->file, $this->offset);
        }
        if (@fwrite($this->file, $bytes) !== strlen($bytes)) {
            throw new InvalidArgumentException("The file {$this->path} cannot be written: is the disk full?");
        }
        $this->end = $this->offset + strlen($bytes);
    }

    public function close(): void
    {
        if (is_resource($this->file)) {
            fclose($this->file);
        }
    }

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
}
