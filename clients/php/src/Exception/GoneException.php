<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/**
 * 410: the entries after a position are no longer kept: load an export, and continue from its position. For an upload:
 * received bytes were lost, so upload the file again. For a link of an order's file: it expired, or was revoked by a
 * refund.
 */
final class GoneException extends APIStatusException
{
}
