<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

use BeatMarket\Model\Upload;

/** The service cannot use the file of an upload. getMessage() says why, as a sentence. */
final class UploadRejectedException extends \RuntimeException implements BeatMarketException
{
    /** @internal */
    public function __construct(public readonly Upload $upload)
    {
        parent::__construct($upload->rejection ?? 'The file was rejected.');
    }
}
