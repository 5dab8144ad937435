<?php

declare(strict_types=1);

namespace BeatMarket\Delivery;

use BeatMarket\DownloadedFile;
use BeatMarket\DownloadProgress;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\ChecksumException;
use BeatMarket\Exception\GoneException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Retries;
use BeatMarket\Model\OrderFile;
use BeatMarket\Model\OrderFiles;

/**
 * Downloads the files of an order by their signed links, which need no key.
 *
 * @internal
 */
final class Delivery
{
    /** @param \Closure(DownloadProgress): mixed|null $progress */
    public function __construct(
        private readonly Connection $connection,
        private readonly int|string $orderId,
        private readonly ?\Closure $progress = null,
    ) {
    }

    /** @throws InvalidArgumentException if the order has no such file, or the destination cannot be written */
    public function download(string $kind, string $destination): DownloadedFile
    {
        return $this->store($this->find($kind, $this->files($this->connection->sender->retries->transferring())), $destination);
    }

    /**
     * @return list<DownloadedFile> in the order of the listing
     *
     * @throws InvalidArgumentException if the order has no files, or the folder cannot be written
     */
    public function downloadAll(string $folder): array
    {
        $files = $this->files($this->connection->sender->retries->transferring());
        if ($files === []) {
            throw $this->refunded();
        }
        if (!is_dir($folder) && !@mkdir($folder, recursive: true) && !is_dir($folder)) {
            throw new InvalidArgumentException("The folder {$folder} cannot be made.");
        }
        $stored = [];
        foreach ($files as $file) {
            $name = FileName::safe($file->filename, $file->kind);
            if (isset($stored[strtolower($name)])) {
                $name = "{$file->kind} {$name}";
            }
            $stored[strtolower($name)] = $this->store($file, "{$folder}/{$name}");
        }

        return array_values($stored);
    }

    /** @return list<OrderFile> */
    private function files(Retries $retries): array
    {
        $call = new Call(Operation::ListOrderFiles, ['order_id' => $this->orderId]);
        $listed = $this->connection->object($call, OrderFiles::class, null, $retries);
        foreach (is_array($listed->files) ? $listed->files : [null] as $file) {
            $texts = $file instanceof OrderFile ? [$file->kind, $file->filename, $file->sha256, $file->url] : [null];
            if ($texts !== array_filter($texts, is_string(...)) || !is_int($file->bytes)) {
                throw $this->connection->unlike($listed->response(), 'files', 'a list of files with bytes, sha256 and url');
            }
        }

        return $listed->files;
    }

    /** @param list<OrderFile> $files */
    private function find(string $kind, array $files): OrderFile
    {
        $kinds = array_column($files, 'kind');
        $index = array_search($kind, $kinds, true);
        if ($index !== false) {
            return $files[$index];
        }

        throw $kinds === [] ? $this->refunded() : new InvalidArgumentException(
            "The order {$this->orderId} has no {$kind}; it has " . implode(', ', $kinds) . '.',
        );
    }

    /** Fetches the file, unless it is there. Begins again, once, if its bytes are not what an earlier call began. */
    private function store(OrderFile $file, string $destination): DownloadedFile
    {
        $stored = new DownloadedFile($file->kind, $file->filename, $file->bytes, $file->sha256, $destination);
        if (self::isThere($file, $destination)) {
            if ($this->progress !== null) {
                ($this->progress)(new DownloadProgress($file->kind, $file->bytes, $file->bytes));
            }

            return $stored;
        }
        for ($isFirst = true;; $isFirst = false) {
            $part = new PartFile($this->orderId, $file, $destination, $this->progress);
            try {
                $this->receive($file, $part);
                $part->finish();

                return $stored;
            } catch (ChecksumException $error) {
                $part->delete();
                if (!$isFirst || !$part->isOld) {
                    throw $error;
                }
            } finally {
                $part->close();
            }
        }
    }

    /** Goes on where a connection breaks, and with another link where one expires. */
    private function receive(OrderFile $file, PartFile $part): void
    {
        $link = $file->url;
        $attempt = function (int $number) use ($file, $part, &$link): void {
            for ($isRenewed = false; !$part->isWhole();) {
                $link ??= $this->find($file->kind, $this->files($this->connection->sender->retries->none()))->url;
                try {
                    $this->connection->sender->fetch($link, $part->download, $number);
                } catch (GoneException $error) {
                    if ($isRenewed) {
                        throw $error;
                    }
                    [$isRenewed, $link] = [true, null];
                    continue;
                }
                if (!$part->isWhole()) {
                    throw new APIConnectionException('The response ended within the file.');
                }
            }
        };
        $this->connection->sender->retry($attempt, $this->connection->sender->retries->transferring(), $part->download->hasAdvanced(...));
    }

    private static function isThere(OrderFile $file, string $path): bool
    {
        clearstatcache(true, $path);

        return is_file($path) && filesize($path) === $file->bytes && @hash_file('sha256', $path) === $file->sha256;
    }

    private function refunded(): InvalidArgumentException
    {
        return new InvalidArgumentException("The order {$this->orderId} has no files: its license is refunded.");
    }
}
