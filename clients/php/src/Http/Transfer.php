<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\UploadRejectedException;
use BeatMarket\Generated\Operation;
use BeatMarket\Model\ReadyUpload;
use BeatMarket\Model\Upload;
use BeatMarket\Response;
use BeatMarket\UploadProgress;
use BeatMarket\Value\UploadStatus;

/** @internal Sends a file by tus 1.0 (https://tus.io/protocols/resumable-upload), with one part of it in memory. */
final class Transfer
{
    public const PART_BYTES = 8_000_000;
    private const LONGEST_PAUSE_SECONDS = 8;
    private const BYTES_PER_SECOND = 64_000; // The slowest connection on which a part still arrives in time.

    /** @var resource */
    private $file;

    private readonly string $name; // The name of the file in messages.
    private readonly int $bytes;
    private ?int $reported = null;

    /** @param \Closure(UploadProgress): mixed|null $progress called when the id is known, and after each part */
    public function __construct(
        private readonly Connection $connection,
        mixed $source,
        private readonly int $partBytes,
        private readonly ?\Closure $progress,
    ) {
        if ($partBytes < 1) {
            throw new InvalidArgumentException('partBytes must be 1 or more.');
        }
        $this->name = is_string($source) ? $source : (is_resource($source) ? stream_get_meta_data($source)['uri'] ?? '' : '');
        $file = is_string($source) && is_file($source) ? @fopen($source, 'rb') : $source;
        if (!is_resource($file) || !stream_get_meta_data($file)['seekable']) {
            throw new InvalidArgumentException(is_string($source)
                ? "The file {$source} cannot be read."
                : 'The file must be a path, or an open seekable file.');
        }
        $this->file = $file;
        $this->bytes = (int) (fstat($file)['size'] ?? 0);
    }

    /** Uploads the whole file. If it fits into one part, sends one request. Returns the upload's id. */
    public function begin(string $kind, ?string $filename): string
    {
        $filename ??= is_file($this->name) ? (new \SplFileInfo($this->name))->getFilename() : $kind;
        $part = $this->bytes <= $this->partBytes ? $this->part(0) : null;
        $response = $this->send('POST', $this->connection->url(new Call(Operation::ListUploads)), $part, [
            'Upload-Length' => (string) $this->bytes,
            'Upload-Metadata' => 'kind ' . base64_encode($kind) . ',filename ' . base64_encode($filename),
        ]);
        // Only the id is used, so that the key is sent only to the base URL.
        if (preg_match('~/uploads/(\w+)$~D', $response->header('location') ?? '', $match) !== 1) {
            throw Errors::unlike($response, 'The response has no address of an upload');
        }
        $this->sendRest($match[1], strlen($part ?? ''));

        return $match[1];
    }

    /** Sends the bytes that the service lacks. With null, and after a failure, it requests the offset first. */
    public function sendRest(string $uploadId, ?int $offset): void
    {
        $once = $this->connection->sender->retries->none();
        $attempt = function () use ($uploadId, $once, &$offset): void {
            $sent = $offset ?? $this->offset($uploadId);
            $offset = null;
            for ($this->report($uploadId, $sent); $sent < $this->bytes; $this->report($uploadId, $sent)) {
                $headers = ['Upload-Offset' => (string) $sent];
                $sent = self::offsetIn($this->send('PATCH', $this->url($uploadId), $this->part($sent), $headers, $once));
            }
        };
        $retries = $this->connection->sender->retries->transferring();
        $this->connection->sender->retry($attempt, $retries, fn (): int => (int) $this->reported);
    }

    /** The work of uploads->wait(). */
    public static function wait(Connection $connection, string $uploadId, float $timeout): ReadyUpload
    {
        $end = hrtime(true) / 1e9 + $timeout;
        $call = new Call(Operation::GetUpload, ids: ['upload_id' => $uploadId]);
        for ($pause = 1;; $pause = min($pause * 2, self::LONGEST_PAUSE_SECONDS)) {
            $upload = $connection->object($call, Upload::class, 'upload');
            if ($upload->status === UploadStatus::READY) {
                return new ReadyUpload($upload->toArray(), $upload->response());
            }
            if ($upload->status === UploadStatus::REJECTED) {
                throw new UploadRejectedException($upload);
            }
            $left = $end - hrtime(true) / 1e9;
            if ($left <= 0) {
                throw new APITimeoutException("The upload {$uploadId} is {$upload->status} after {$timeout} seconds.");
            }
            ($connection->sender->sleep)(min($pause, $left));
        }
    }

    private function offset(string $uploadId): int
    {
        try {
            $response = $this->send('HEAD', $this->url($uploadId), null, [], $this->connection->sender->retries->none());
        } catch (NotFoundException $error) {
            $this->connection->sender->perform('GET', $this->url($uploadId)); // Throws with the reason, which a response to HEAD cannot have.
            throw $error;
        }
        $bytes = $response->header('upload-length') ?? '';
        if ($bytes !== (string) $this->bytes) {
            throw new InvalidArgumentException(
                "The file has {$this->bytes} bytes, and the upload {$uploadId} is for a file with {$bytes}: "
                . 'resume it with the same file.',
            );
        }

        return self::offsetIn($response);
    }

    /** @param array<string, string> $headers */
    private function send(string $method, string $url, ?string $part, array $headers, ?Retries $retries = null): Response
    {
        $headers['Tus-Resumable'] = '1.0.0';
        if ($part !== null) {
            $headers['Content-Type'] = 'application/offset+octet-stream';
            $headers['Upload-Checksum'] = 'sha256 ' . base64_encode(hash('sha256', $part, true));
        }

        return $this->connection->sender->perform($method, $url, $part, $headers, strlen($part ?? '') / self::BYTES_PER_SECOND, $retries);
    }

    private function url(string $uploadId): string
    {
        return $this->connection->url(new Call(Operation::GetUpload, ['upload_id' => $uploadId]));
    }

    /** The bytes from an offset, at most one part. */
    private function part(int $offset): string
    {
        $length = min($this->partBytes, $this->bytes - $offset);
        $part = $length === 0 ? '' : stream_get_contents($this->file, $length, $offset);

        return is_string($part) && strlen($part) === $length
            ? $part
            : throw new InvalidArgumentException("The file {$this->name} became shorter while it was uploaded: upload it again.");
    }

    private function report(string $uploadId, int $sent): void
    {
        [$before, $this->reported] = [$this->reported, $sent];
        if ($sent !== $before) {
            $this->progress?->__invoke(new UploadProgress($uploadId, $sent, $this->bytes));
        }
    }

    private static function offsetIn(Response $response): int
    {
        $offset = $response->header('upload-offset') ?? '';

        return ctype_digit($offset) ? (int) $offset : throw Errors::unlike($response, 'The response has no Upload-Offset');
    }
}
