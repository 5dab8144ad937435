<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\UploadRejectedException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Http\Transfer;
use BeatMarket\Model\ReadyUpload;
use BeatMarket\Model\Upload;
use BeatMarket\Page\UploadPage;
use BeatMarket\UploadProgress;
use BeatMarket\Value\UploadKind;

/** Files that become beats. */
final class Uploads
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the uploads of the key's account, newest first, one page at a time, and how much of the storage its files
     * take.
     *
     * Needs the permission beats:write.
     *
     * @param int|null $page     The number of the page, from 1.
     * @param int|null $limit    The number of results on a page (1 to 100; default: 20).
     * @param int|null $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return UploadPage<Upload>
     *
     * @throws BeatMarketException
     */
    public function list(?int $page = null, ?int $limit = null, ?int $maxItems = null): UploadPage
    {
        return new UploadPage(
            $this->connection,
            new Call(Operation::ListUploads, query: ['page' => $page, 'limit' => $limit]),
            ['uploads' => Upload::class],
            $maxItems,
        );
    }

    /**
     * Deletes an upload in any state, unless a beat uses it.
     *
     * Needs the permission beats:write.
     *
     * @param string $uploadId Identifier of the upload, such as `upl_` and 22 letters and digits.
     *
     * @throws BeatMarketException
     */
    public function delete(string $uploadId): void
    {
        $this->connection->send(new Call(Operation::DeleteUpload, ids: ['upload_id' => $uploadId]));
    }

    /**
     * Returns the state of an upload: how much of it has arrived and, after the analysis, the results or the reason of
     * its rejection. An upload of another account is 404.
     *
     * Needs the permission beats:write.
     *
     * @param string $uploadId Identifier of the upload, such as `upl_` and 22 letters and digits.
     *
     * @throws BeatMarketException
     */
    public function get(string $uploadId): Upload
    {
        return $this->connection->object(
            new Call(Operation::GetUpload, ids: ['upload_id' => $uploadId]),
            Upload::class,
            'upload',
        );
    }

    /**
     * Analyses a file again that was rejected because of a fault of the service. An upload that was not rejected is
     * returned unchanged.
     *
     * Needs the permission beats:write.
     *
     * @param string $uploadId Identifier of the upload, such as `upl_` and 22 letters and digits.
     *
     * @throws BeatMarketException
     */
    public function retry(string $uploadId): Upload
    {
        return $this->connection->object(
            new Call(Operation::RetryUpload, ids: ['upload_id' => $uploadId]),
            Upload::class,
            'upload',
        );
    }

    /**
     * Uploads a file in parts, by tus 1.0. After a failed part, continues at the offset that the service has. Then the
     * service analyses the file: wait() waits for that.
     *
     * The timeout applies to each part, and grows by a second for each 64 kB of the part. After an error, resume()
     * continues with the id that $progress got.
     *
     * Needs the permission beats:write.
     *
     * @param string|resource                      $file      The content of the upload. A path, or an open seekable
     *                                                        file, which is read from its beginning and stays open.
     * @param UploadKind|string                    $kind      audio, stems or cover.
     * @param string|null                          $filename  The name that people see. By default the file's own name,
     *                                                        or the kind if it has no name.
     * @param \Closure(UploadProgress): mixed|null $progress  Called when the upload's id is known, and after each part.
     * @param int                                  $partBytes The size of a part, which is held in memory. A file that
     *                                                        fits into one part is sent in one request.
     *
     * @throws InvalidArgumentException if the file cannot be read
     * @throws InvalidRequestException if the file is too large, or the account has too many uploads that no beat uses
     * @throws BeatMarketException
     */
    public function upload(
        mixed $file,
        UploadKind|string $kind,
        ?string $filename = null,
        ?\Closure $progress = null,
        int $partBytes = Transfer::PART_BYTES,
    ): Upload {
        $transfer = new Transfer($this->connection, $file, $partBytes, $progress);

        return $this->get($transfer->begin($kind instanceof UploadKind ? $kind->value : $kind, $filename));
    }

    /**
     * Sends the rest of a file whose upload was begun by this process or another one.
     *
     * Needs the permission beats:write.
     *
     * @param string                               $uploadId  The upload.
     * @param string|resource                      $file      The same file. A path, or an open seekable file, which is
     *                                                        read from its beginning and stays open.
     * @param \Closure(UploadProgress): mixed|null $progress  As for upload().
     * @param int                                  $partBytes As for upload().
     *
     * @throws InvalidArgumentException if the file cannot be read, or has another size than the upload
     * @throws NotFoundException if the account has no such upload, or the upload was deleted
     * @throws BeatMarketException
     */
    public function resume(
        string $uploadId,
        mixed $file,
        ?\Closure $progress = null,
        int $partBytes = Transfer::PART_BYTES,
    ): Upload {
        (new Transfer($this->connection, $file, $partBytes, $progress))->sendRest($uploadId, null);

        return $this->get($uploadId);
    }

    /**
     * Waits until an upload is ready, for at most ten minutes by default.
     *
     * Needs the permission beats:write.
     *
     * @param string $uploadId The upload.
     * @param float  $timeout  Seconds.
     *
     * @throws UploadRejectedException if its file was rejected
     * @throws APITimeoutException if the upload is neither ready nor rejected in time
     * @throws NotFoundException if the account has no such upload, or the upload was deleted
     * @throws BeatMarketException
     */
    public function wait(string $uploadId, float $timeout = 600): ReadyUpload
    {
        return Transfer::wait($this->connection, $uploadId, $timeout);
    }
}
