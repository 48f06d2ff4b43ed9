// The text at a place comes in; whether an item or a clause begins there comes out, as a token without width. An item begins with its word in column 1,
// and ends where the next one begins, or its comments; a clause begins with its word as the first of a line, where `win`, `lose`, `draw`, `endless`, `score`
// and `without` are words only if what follows fits, as in the lexer of cgdsl (`src/language/syntax/lexer.rs`).
#include "tree_sitter/parser.h"
#include <string.h>

enum Token { ITEM_START, ITEM_END, CLAUSE_START, UNCLOSED };
enum { LONGEST = 12 };

static const char *const ITEMS[] = {"ruleset", "use", "let", "position", "eval", "assert", "claim", "refute", "table", "search", "slow", "language", "ask", "expect", "seal", NULL};
static const char *const CLAUSES[] = {"board", "players", "pieces", "state", "let", "play", "move", NULL};
static const char *const ENDS[] = {"win", "lose", "draw", "endless", "score", "fixed", NULL};
static const char *const RESERVED[] = {"ruleset", "move", "choose", "where", "then", "by", "for", "in", "owns", "and", "or", "not", "all", "some", "no", "mod", "div", "each", "remove", "keep", "let", "use", "eval", "assert", "claim", "refute", "search", "slow", "language", "ask", "expect", "seal", NULL};

static bool is_one(const char *word, const char *const *all) {
  for (; *all; all++)
    if (strcmp(word, *all) == 0) return true;
  return false;
}

static bool in_word(int32_t c) {
  return c == '_' || c == '\'' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > 127;
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0xa0 || c == 0xfeff; }

// The word at the place; empty where there is none, and where it is longer than any that matters.
static void read(TSLexer *lexer, char *word) {
  unsigned length = 0;
  while (in_word(lexer->lookahead)) {
    if (length < LONGEST) word[length] = lexer->lookahead > 127 ? '?' : (char)lexer->lookahead;
    length++;
    lexer->advance(lexer, false);
  }
  word[length < LONGEST ? length : 0] = 0;
}

static bool opens_clause(TSLexer *lexer, const char *word) {
  if (is_one(word, CLAUSES)) return true;
  if (!is_one(word, ENDS) && strcmp(word, "without") != 0) return false;
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
  int32_t first = lexer->lookahead;
  if (!in_word(first)) return false;
  char next[LONGEST + 1];
  read(lexer, next);
  if (strcmp(word, "without") == 0) return is_one(next, CLAUSES) || is_one(next, ENDS);
  if (strcmp(word, "draw") == 0) return strcmp(next, "when") == 0;
  if (strcmp(word, "endless") == 0) return strcmp(next, "draw") == 0 || strcmp(next, "win") == 0;
  return !is_one(next, RESERVED);
}

void *tree_sitter_cgdsl_external_scanner_create(void) { return NULL; }
void tree_sitter_cgdsl_external_scanner_destroy(void *none) { (void)none; }
unsigned tree_sitter_cgdsl_external_scanner_serialize(void *none, char *out) {
  (void)none;
  (void)out;
  return 0;
}
void tree_sitter_cgdsl_external_scanner_deserialize(void *none, const char *bytes, unsigned length) {
  (void)none;
  (void)bytes;
  (void)length;
}

bool tree_sitter_cgdsl_external_scanner_scan(void *none, TSLexer *lexer, const bool *valid) {
  (void)none;
  // While the parser mends a mistake, it asks for everything.
  bool mending = valid[ITEM_START] && valid[ITEM_END];
  // What the end of an item ends: the item, or first a bracket within it.
  bool ends = (valid[ITEM_END] || valid[UNCLOSED]) && !mending;
  enum Token end = valid[UNCLOSED] ? UNCLOSED : ITEM_END;
  // To ask for the column reads the line again, and a line may be long: it is asked for only before a comment, and behind a word that matters.
  bool line = false, first = false;
  while (is_blank(lexer->lookahead)) {
    first = lexer->lookahead == '\n';
    line |= first;
    lexer->advance(lexer, true);
  }
  lexer->mark_end(lexer);
  if (lexer->eof(lexer)) {
    lexer->result_symbol = end;
    return ends;
  }
  char word[LONGEST + 1];
  // Comments in column 1 above an item belong to it.
  if (lexer->lookahead == '/') {
    if (!ends) return false;
    lexer->advance(lexer, false);
    if (lexer->lookahead != '/' || (!first && (line || lexer->get_column(lexer) != 1))) return false;
    while (lexer->lookahead == '/') {
      while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
      first = false;
      while (is_blank(lexer->lookahead)) {
        first = lexer->lookahead == '\n';
        lexer->advance(lexer, false);
      }
    }
    if (lexer->eof(lexer) || !first) return false;
    read(lexer, word);
    lexer->result_symbol = end;
    return is_one(word, ITEMS);
  }
  if (!in_word(lexer->lookahead)) return false;
  read(lexer, word);
  bool item = is_one(word, ITEMS);
  if (item && !line) first = line = lexer->get_column(lexer) == strlen(word);
  if (item && first) {
    lexer->result_symbol = ends ? end : ITEM_START;
    return ends || valid[ITEM_START];
  }
  lexer->result_symbol = CLAUSE_START;
  return line && valid[CLAUSE_START] && !mending && opens_clause(lexer, word);
}
