CREATE TABLE documents (
  id VARCHAR(32) NOT NULL,
  run VARCHAR(64) NOT NULL,
  status VARCHAR(12) NOT NULL,
  fingerprint VARCHAR(64) NOT NULL,
  content VARCHAR(64) NOT NULL,
  path {bytes} NOT NULL,
  output {bytes},
  output_id VARCHAR(32),
  layout {bytes},
  format VARCHAR(20) NOT NULL,
  failure VARCHAR(30) NOT NULL,
  advice VARCHAR(500) NOT NULL,
  notices VARCHAR NOT NULL,
  bytes BIGINT NOT NULL,
  segments INTEGER NOT NULL,
  sentences INTEGER NOT NULL,
  left_in_source INTEGER NOT NULL,
  retry INTEGER NOT NULL,
  finished FLOAT,
  PRIMARY KEY (id)
);
CREATE INDEX documents_by_output ON documents (output_id);
CREATE INDEX documents_by_run ON documents (run, status);
CREATE TABLE identifiers (
  id VARCHAR(32) NOT NULL,
  form {bytes} NOT NULL,
  PRIMARY KEY (id)
) {without_rowid};
CREATE TABLE meta (
  name VARCHAR(40) NOT NULL,
  value {bytes} NOT NULL,
  PRIMARY KEY (name)
);
CREATE TABLE requests (
  id VARCHAR(32) NOT NULL,
  run VARCHAR(64) NOT NULL,
  status VARCHAR(40) NOT NULL,
  provider VARCHAR(40) NOT NULL,
  endpoint VARCHAR(253) NOT NULL,
  texts INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  recorded FLOAT NOT NULL,
  answered FLOAT,
  PRIMARY KEY (id)
);
CREATE INDEX requests_by_run ON requests (run, recorded);
CREATE TABLE runs (
  id VARCHAR(64) NOT NULL,
  stage VARCHAR(20) NOT NULL,
  started FLOAT NOT NULL,
  finished FLOAT,
  outcome VARCHAR(40) NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE sentences (
  id VARCHAR(32) NOT NULL,
  run VARCHAR(64) NOT NULL,
  status VARCHAR(12) NOT NULL,
  reason VARCHAR(200) NOT NULL,
  annotated {bytes} NOT NULL,
  encoded {bytes},
  answer {bytes},
  decoded {bytes},
  characters INTEGER NOT NULL,
  checked_with VARCHAR(32) NOT NULL,
  draws INTEGER NOT NULL,
  sends INTEGER NOT NULL,
  translator VARCHAR(32),
  to_restore INTEGER NOT NULL,
  restored INTEGER NOT NULL,
  fallback INTEGER NOT NULL,
  untranslated INTEGER NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX sentences_by_run ON sentences (run, status);
CREATE TABLE document_sentences (
  document VARCHAR(32) NOT NULL,
  sentence VARCHAR(32) NOT NULL,
  PRIMARY KEY (document, sentence),
  FOREIGN KEY(document) REFERENCES documents (id) ON DELETE CASCADE,
  FOREIGN KEY(sentence) REFERENCES sentences (id)
) {without_rowid};
CREATE INDEX documents_by_sentence ON document_sentences (sentence);
INSERT INTO meta VALUES ('schema_version', {version});
INSERT INTO meta VALUES ('salt', {salt});
INSERT INTO meta VALUES ('key_check', {key_check});
INSERT INTO runs VALUES ('run-1', 'decode', 1.0, NULL, '');
INSERT INTO documents VALUES (
  'dddddddddddddddddddddddddddddddd', 'run-1', 'read', 'f', 'c', {path}, NULL, NULL, NULL,
  'txt', '', '', '[]', 5, 1, 1, 0, 0, NULL
);
INSERT INTO sentences VALUES (
  '55555555555555555555555555555555', 'run-1', 'answered', '', {annotated}, {encoded}, {answer},
  NULL, 11, 'c1', 1, 1, 't1', 0, 0, 0, 0
);
INSERT INTO document_sentences VALUES (
  'dddddddddddddddddddddddddddddddd', '55555555555555555555555555555555'
);
