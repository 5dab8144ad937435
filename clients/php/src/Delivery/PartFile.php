<?php

declare(strict_types=1);

namespace BeatMarket\Delivery;

use BeatMarket\DownloadProgress;
use BeatMarket\Exception\ChecksumException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Http\Download;
use BeatMarket\Http\LocalFile;
use BeatMarket\Model\OrderFile;

/**
 * What has arrived of a file, next to the place where it goes once it is whole: beat.wav.part.
 *
 * @internal
 */
final class PartFile extends LocalFile
{
    /** Whether an earlier call began it. */
    public readonly bool $isOld;

    public readonly Download $download;

    private int $bytes;

    /**
     * Goes on from what an earlier call left.
     *
     * @param \Closure(DownloadProgress): mixed|null $progress
     *
     * @throws InvalidArgumentException if the file cannot be written
     */
    public function __construct(
        private readonly int|string $orderId,
        private readonly OrderFile $listed,
        private readonly string $destination,
        private readonly ?\Closure $progress,
    ) {
        if (is_dir($destination)) {
            throw new InvalidArgumentException("{$destination} is a folder: name the file that is to be in it.");
        }
        parent::__construct("{$destination}.part", 'c+b');
        $bytes = (int) (fstat($this->file)['size'] ?? 0);
        $this->bytes = $bytes > $listed->bytes ? 0 : $bytes;
        $this->isOld = $this->bytes > 0;
        $this->download = new Download($this->write(...), $this->bytes, isImmutable: true); // The hash decides.
        ftruncate($this->file, $this->bytes);
        fseek($this->file, $this->bytes);
        $this->report();
    }

    /**
     * @throws ChecksumException        if these are more bytes than the file has
     * @throws InvalidArgumentException if the disk is full
     */
    public function write(string $bytes, int $offset): void
    {
        if ($offset + strlen($bytes) > $this->listed->bytes) {
            throw $this->wrong("more than {$this->listed->bytes} bytes");
        }
        parent::write($bytes, $offset);
        $this->bytes = $offset + strlen($bytes);
        $this->report();
    }

    public function isWhole(): bool
    {
        return $this->bytes === $this->listed->bytes;
    }

    /**
     * Gives the whole file its name.
     *
     * @throws ChecksumException        if its bytes are others than the service lists
     * @throws InvalidArgumentException if it cannot be written
     */
    public function finish(): void
    {
        $isOnDisk = @fsync($this->file);
        $this->close();
        $sha256 = (string) hash_file('sha256', $this->path);
        if ($sha256 !== $this->listed->sha256) {
            throw $this->wrong("SHA-256 {$sha256}, not {$this->listed->sha256}");
        }
        if (!$isOnDisk) {
            throw new InvalidArgumentException("The file {$this->destination} cannot be written.");
        }
        $this->moveTo($this->destination);
    }

    private function report(): void
    {
        if ($this->progress !== null) {
            ($this->progress)(new DownloadProgress($this->listed->kind, $this->bytes, $this->listed->bytes));
        }
    }

    private function wrong(string $how): ChecksumException
    {
        return new ChecksumException(
            "The file {$this->listed->kind} of order {$this->orderId} came with other bytes than the service lists ({$how}) and was deleted; "
            . 'download it again.',
        );
    }
}
