<?php

declare(strict_types=1);

namespace BeatMarket\Delivery;

use BeatMarket\DownloadProgress;
use BeatMarket\Exception\ChecksumException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Http\FileDownload;
use BeatMarket\Model\OrderFile;

/** @internal The received bytes of a file, in beat.wav.part next to beat.wav. */
final class PartFile extends FileDownload
{
    protected const IS_IMMUTABLE = true; // The checksum decides whether the bytes are right.

    public readonly bool $isOld; // Whether an earlier call received the first bytes.

    /** @param \Closure(DownloadProgress): mixed|null $progress */
    public function __construct(
        private readonly int|string $orderId,
        private readonly OrderFile $listed,
        private readonly string $destination,
        private readonly ?\Closure $progress,
    ) {
        if (is_dir($destination)) {
            throw new InvalidArgumentException("{$destination} is a folder: name a file in it.");
        }
        parent::__construct("{$destination}.part", 'c+b');
        $bytes = (int) (fstat($this->file)['size'] ?? 0);
        $this->offset = $bytes > $listed->bytes ? 0 : $bytes;
        $this->isOld = $this->offset > 0;
        ftruncate($this->file, $this->offset);
        $this->report($this->offset);
    }

    protected function take(string $bytes): void
    {
        $end = $this->offset + strlen($bytes);
        if ($end > $this->listed->bytes) {
            throw $this->wrong("more than {$this->listed->bytes} bytes");
        }
        parent::take($bytes);
        $this->report($end);
    }

    public function isWhole(): bool
    {
        return $this->offset === $this->listed->bytes;
    }

    /** Renames the whole file to its name, if it has the checksum that the service lists. */
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

    private function report(int $bytes): void
    {
        $this->progress?->__invoke(new DownloadProgress($this->listed->kind, $bytes, $this->listed->bytes));
    }

    private function wrong(string $how): ChecksumException
    {
        return new ChecksumException(
            "The file {$this->listed->kind} of order {$this->orderId} came with other bytes than the service lists ({$how}) and was deleted; "
            . 'download it again.',
        );
    }
}
