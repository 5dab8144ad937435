<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Generated;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Model\Upload;
use BeatMarket\Page\UploadPage;

/** @internal */
trait UploadsMethods
{
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
            Operation::ListUploads,
            UploadPage::class,
            ['uploads' => Upload::class],
            query: ['page' => $page, 'limit' => $limit],
            maxItems: $maxItems,
        );
    }

    /**
     * Ends an upload, whatever its state, unless a beat uses it.
     *
     * Needs the permission beats:write.
     *
     * @param string $uploadId Identifier of the upload, such as `upl_` and 22 letters and digits.
     *
     * @throws BeatMarketException
     */
    public function delete(string $uploadId): void
    {
        $this->connection->send(Operation::DeleteUpload, ids: ['upload_id' => $uploadId]);
    }

    /**
     * What became of a file: how much of it has arrived, and once it is analysed what was heard in it, or why it was
     * rejected. Everybody else's uploads do not exist here.
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
            Operation::GetUpload,
            Upload::class,
            'upload',
            ids: ['upload_id' => $uploadId],
        );
    }

    /**
     * Analyses a file again that was rejected for a reason of our own. An upload that was not rejected is answered as
     * it is.
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
            Operation::RetryUpload,
            Upload::class,
            'upload',
            ids: ['upload_id' => $uploadId],
        );
    }
}
