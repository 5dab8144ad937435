<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Page;

use BeatMarket\Model\StorageUse;
use BeatMarket\Model\Upload;
use BeatMarket\Page;

/**
 * One page of uploads. foreach iterates over all pages, with the same filters.
 *
 * @property-read StorageUse $storage The storage that the account's files use, and the limit.
 *
 * @template T of Upload
 *
 * @extends Page<T>
 */
final class UploadPage extends Page
{
    public const FIELDS = [
        ...parent::FIELDS,
        'storage' => ['storage', StorageUse::class],
    ];
}
