"""What a project remembers: the log, what is served from it, and the open session.

``log`` reads and appends to project.md (``markdown``, ``marks``, ``text`` and ``front`` are its grammar), ``served``
folds it, ``anchors`` ties a decision to footage, words and cut. ``session`` notes what happens, ``changes`` and ``net``
what it did to each range, ``draft`` makes a section of it (``ground`` finds the decisions that it ends, ``wording`` has
the sentences). ``brief`` resumes. ``verbs`` is the face.
"""
