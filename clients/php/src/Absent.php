<?php

declare(strict_types=1);

namespace BeatMarket;

/** The default of each field of an update: the field is not sent, whereas null clears it. */
enum Absent
{
    case Field;
}
