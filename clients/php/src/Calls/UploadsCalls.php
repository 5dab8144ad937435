<?php

declare(strict_types=1);

namespace BeatMarket\Calls;

use BeatMarket\Exception\APITimeoutException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Exception\InvalidRequestException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Exception\UploadRejectedException;
use BeatMarket\Http\Transfer;
use BeatMarket\Model\Upload;
use BeatMarket\UploadProgress;
use BeatMarket\Value\UploadStatus;

/** @internal */
trait UploadsCalls
{
    /**
     * Uploads a file, in parts and by tus 1.0: a part that fails is sent again from where the service has it. The client's
     * timeout is that of each part, and grows by a second for each 64 kB of it. After an exception, resume() goes on with the
     * id that $progress got.
     *
     * @param string                               $path      the file
     * @param string                               $kind      one of Value\UploadKind
     * @param string|null                          $filename  what people see; the file's own name by default
     * @param \Closure(UploadProgress): mixed|null $progress  called once the upload's id is known, and after each part
     * @param int                                  $partBytes the size of a part, which is held in memory; a smaller file is
     *                                                        one request
     *
     * @return Upload which the service analyses from now on, see wait()
     *
     * @throws InvalidArgumentException if the file cannot be read
     * @throws InvalidRequestException  if it is too large, or the account has too much that no beat uses
     * @throws BeatMarketException
     */
    public function upload(
        string $path,
        string $kind,
        ?string $filename = null,
        ?\Closure $progress = null,
        int $partBytes = Transfer::PART_BYTES,
    ): Upload {
        $transfer = new Transfer($this->connection, $path, $partBytes, $progress);

        return $this->get($transfer->begin($kind, $filename ?? (new \SplFileInfo($path))->getFilename()));
    }

    /**
     * Sends the rest of a file whose upload was begun, also by another process.
     *
     * @param string                               $path      the same file
     * @param \Closure(UploadProgress): mixed|null $progress  as for upload()
     * @param int                                  $partBytes as for upload()
     *
     * @throws InvalidArgumentException if the file cannot be read, or has another size than the upload
     * @throws NotFoundException        if the account has no such upload, or no longer
     * @throws BeatMarketException
     */
    public function resume(string $uploadId, string $path, ?\Closure $progress = null, int $partBytes = Transfer::PART_BYTES): Upload
    {
        (new Transfer($this->connection, $path, $partBytes, $progress))->sendRest($uploadId, null);

        return $this->get($uploadId);
    }

    /**
     * Waits until an upload is ready.
     *
     * @param float $timeout seconds
     *
     * @throws UploadRejectedException if its file was rejected
     * @throws APITimeoutException     if it is neither in time
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function wait(string $uploadId, float $timeout = 600): Upload
    {
        $end = hrtime(true) / 1e9 + $timeout;
        for ($pause = 1;; $pause = min($pause * 2, Transfer::LONGEST_PAUSE_SECONDS)) {
            $upload = $this->get($uploadId);
            if ($upload->status === UploadStatus::READY) {
                return $upload;
            }
            if ($upload->status === UploadStatus::REJECTED) {
                throw new UploadRejectedException($upload);
            }
            $left = $end - hrtime(true) / 1e9;
            if ($left <= 0) {
                throw new APITimeoutException("The upload {$uploadId} is {$upload->status} after {$timeout} seconds.");
            }
            $this->connection->sender->pause(min($pause, $left));
        }
    }
}
