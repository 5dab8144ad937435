<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Calls\UploadsCalls;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\Upload;
use BeatMarket\Page\UploadPage;

/** Files that become beats. */
final class Uploads
{
    use UploadsCalls;

    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * The uploads of the key's account, newest first, one page at a time, and how much of the storage its files take.
     *
     * Needs the permission beats:write.
     *
     * @param int|null $page     Page number, from 1.
     * @param int|null $limit    Results per page (1 to 100; default: 20).
     * @param int|null $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return UploadPage<Upload>
     *
     * @throws BeatMarketException
     */
    public function list(?int $page = null, ?int $limit = null, ?int $maxItems = null): UploadPage
    {
        return $this->connection->page(
            new Call(Operation::ListUploads, query: ['page' => $page, 'limit' => $limit]),
            UploadPage::class,
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
     * The state of a file: how much of it has arrived and, once it is analysed, the results or the reason of its
     * rejection. Uploads of other accounts are 404.
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
}
