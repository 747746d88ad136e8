#ifndef BASE_VERSION_H
#define BASE_VERSION_H

/*
 * The one place that says which release this is.
 */

#define BASE_VERSION "0.1.0"

#endif
