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
use BeatMarket\Http\Errors;
use BeatMarket\Http\Retries;
use BeatMarket\Model\OrderFile;
use BeatMarket\Model\OrderFiles;

/** @internal Downloads the files of an order by their signed links, which need no key. */
final class Delivery
{
    private const MAX_NAME_BYTES = 200;

    /** Characters that Windows or POSIX refuse, control characters, and those that change the direction of writing. */
    private const REFUSED = '~[/\\\\:*?"<>|\x00-\x1F\x7F\x{80}-\x{9F}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}]~u';
    private const DEVICE = '/^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i'; // Devices of Windows, with any extension.

    private readonly Retries $retries;

    /** @param \Closure(DownloadProgress): mixed|null $progress */
    public function __construct(
        private readonly Connection $connection,
        private readonly int|string $orderId,
        private readonly ?\Closure $progress = null,
    ) {
        $this->retries = $connection->sender->retries->transferring();
    }

    public function download(string $kind, string $destination): DownloadedFile
    {
        return $this->store($this->file($kind, $this->retries), $destination);
    }

    /** @return list<DownloadedFile> in the order of the listing */
    public function downloadAll(string $folder): array
    {
        $files = $this->files($this->retries);
        if (!is_dir($folder) && !@mkdir($folder, recursive: true) && !is_dir($folder)) {
            throw new InvalidArgumentException("The folder {$folder} cannot be created.");
        }
        $stored = [];
        foreach ($files as $file) {
            $name = self::fileName($file->filename, $file->kind);
            if (isset($stored[strtolower($name)])) {
                $name = "{$file->kind} {$name}";
            }
            $stored[strtolower($name)] = $this->store($file, "{$folder}/{$name}");
        }

        return array_values($stored);
    }

    /** @return non-empty-list<OrderFile> */
    private function files(Retries $retries): array
    {
        $call = new Call(Operation::ListOrderFiles, ['order_id' => $this->orderId]);
        $listed = $this->connection->object($call, OrderFiles::class, null, $retries);
        foreach (is_array($listed->files) ? $listed->files : [null] as $file) {
            $texts = $file instanceof OrderFile ? [$file->kind, $file->filename, $file->sha256, $file->url] : [null];
            if ($texts !== array_filter($texts, is_string(...)) || !is_int($file->bytes)) {
                throw Errors::field($listed->response(), 'files', 'a list of files with bytes, sha256 and url');
            }
        }

        return $listed->files ?: throw new InvalidArgumentException(
            "The order {$this->orderId} has no files: its license is refunded.",
        );
    }

    private function file(string $kind, Retries $retries): OrderFile
    {
        $files = array_column($this->files($retries), null, 'kind');

        return $files[$kind] ?? throw new InvalidArgumentException(
            "The order {$this->orderId} has no {$kind}; it has " . implode(', ', array_keys($files)) . '.',
        );
    }

    /** Downloads the file, unless the destination has it. Begins again if the part of an earlier call has other bytes. */
    private function store(OrderFile $file, string $destination): DownloadedFile
    {
        $stored = new DownloadedFile($file->kind, $file->filename, $file->bytes, $file->sha256, $destination);
        clearstatcache(true, $destination);
        $isThere = is_file($destination) && filesize($destination) === $file->bytes;
        if ($isThere && @hash_file('sha256', $destination) === $file->sha256) {
            $this->progress?->__invoke(new DownloadProgress($file->kind, $file->bytes, $file->bytes));

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

    /** Resumes after a lost connection, and with a new link after the old one has expired. */
    private function receive(OrderFile $file, PartFile $part): void
    {
        $link = $file->url;
        $attempt = function (int $number) use ($file, $part, &$link): void {
            for ($isRenewed = false; !$part->isWhole();) {
                $link ??= $this->file($file->kind, $this->retries->none())->url;
                try {
                    $this->connection->sender->fetch($link, $part, $number);
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
        $this->connection->sender->retry($attempt, $this->retries, $part->reached(...));
    }

    /** A name that every file system accepts and that stays in its folder; the default if no character is left. */
    public static function fileName(string $name, string $default): string
    {
        $safe = trim((string) preg_replace(self::REFUSED, '_', $name), ' .');
        if (preg_match(self::DEVICE, $safe) === 1) {
            $safe = "_{$safe}";
        }
        if (strlen($safe) > self::MAX_NAME_BYTES) {
            $extension = preg_match('/\.[^.]{0,10}$/Du', $safe, $match) === 1 ? $match[0] : '';
            $start = substr($safe, 0, self::MAX_NAME_BYTES - strlen($extension));
            $safe = json_decode((string) json_encode($start, JSON_INVALID_UTF8_IGNORE)) . $extension; // Removes a character that was cut in two.
        }

        return $safe === '' ? $default : $safe;
    }
}
