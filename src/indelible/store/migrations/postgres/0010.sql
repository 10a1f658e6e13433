-- What an alias is: 'repository', 'directory' (in no repository), 'name', or '' where nobody knows any more. A path below
-- a repository belongs to it; one below a directory only as far as this machine's files say so.
ALTER TABLE project ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT '';
-- The project that earlier versions took this alias for a part of, because it lies below that: what was stored of the two
-- has one name. '' where there was none, or where somebody has said since what belongs where.
ALTER TABLE project ADD COLUMN merged TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE project SET merged = namespace
WHERE alias <> namespace AND EXISTS (
  SELECT 1 FROM project AS above
  WHERE above.tenant = project.tenant AND above.namespace = project.namespace
    AND substr(project.alias, 1, length(above.alias) + 1) IN (above.alias || '/', above.alias || '\')
    AND (substr(above.alias, 1, 1) = '/' OR substr(above.alias, 2, 2) IN (':\', ':/')));
