#ifndef DAEMON_ROUTES_H
#define DAEMON_ROUTES_H

/*
 * What there is at which path, and what the routes share.
 */

#include "daemon/daemon.h"
#include "wire/json.h"

/* False without a store; r is then answered. */
MUST_USE bool daemon_routes_needs_store(
	struct daemon *d, struct daemon_request *r);
/*
 * Reads r's body as JSON and runs run with it, in d->work. Without a store, for
 * bytes that are not JSON, and past the arena's limit, r is answered instead;
 * run's own memory is data, the caller's.
 */
typedef void (*daemon_routes_body_fn)(
	struct daemon *d, struct daemon_request *r, const json_t *body, void *data);
void daemon_routes_read(struct daemon *d, struct daemon_request *r,
	daemon_routes_body_fn run, void *data);
/* r waits for what decide says to its handle. */
void daemon_routes_wait(struct daemon_request *r,
	void (*replied)(struct daemon *d, struct daemon_request *r,
		const struct decide_act *act));

/* cards.c */
void daemon_cards_list(struct daemon *d, struct daemon_request *r);
void daemon_cards_show(struct daemon *d, struct daemon_request *r);
void daemon_cards_reply(struct daemon *d, struct daemon_request *r);
unsigned daemon_cards_status(enum decide_replied replied);
/* False when the body is no reply; r is then answered. */
MUST_USE bool daemon_cards_read(
	struct daemon_request *r, const json_t *body, struct decide_reply *ret);
/* together.c */
void daemon_together_run(struct daemon *d, struct daemon_request *r);
/* The card, open or ended, as GET /v1/cards/{} shows it; NULL if it cannot be
 * read. The caller releases it. */
json_t *daemon_cards_json(struct daemon *d, struct arena *a, int64_t number);
/* audit.c */
void daemon_audit_list(struct daemon *d, struct daemon_request *r);
void daemon_audit_show(struct daemon *d, struct daemon_request *r);
void daemon_audit_verify(struct daemon *d, struct daemon_request *r);
void daemon_audit_export(struct daemon *d, struct daemon_request *r);
/* explain.c */
void daemon_explain_run(struct daemon *d, struct daemon_request *r);
/* question.c */
void daemon_question_run(struct daemon *d, struct daemon_request *r);
/* grants.c */
void daemon_grants_list(struct daemon *d, struct daemon_request *r);
void daemon_grants_remove(struct daemon *d, struct daemon_request *r);
void daemon_grants_clear(struct daemon *d, struct daemon_request *r);
/* sensitive.c */
void daemon_sensitive_list(struct daemon *d, struct daemon_request *r);
void daemon_sensitive_run(struct daemon *d, struct daemon_request *r);
/* ruletext.c */
void daemon_ruletext_show(struct daemon *d, struct daemon_request *r);
void daemon_ruletext_save(struct daemon *d, struct daemon_request *r);
/* settings.c */
void daemon_settings_show(struct daemon *d, struct daemon_request *r);
void daemon_trust_run(struct daemon *d, struct daemon_request *r);
/* For daemon_rules_set_trust: data is the daemon. */
struct str daemon_settings_trust(void *data, struct str root);
void daemon_settings_run(struct daemon *d, struct daemon_request *r);

#endif
