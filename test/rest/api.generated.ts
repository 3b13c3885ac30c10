// Generated from the API document by `node test/support/generateClient.ts`: not to be edited.
export interface paths {
  '/capabilities': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The caller and its permissions
     * @description Authentication mode, the grants of the credential and, for a session, the CSRF value that POST needs.
     *
     *     Grants: any valid credential.
     */
    get: operations['getCapabilities'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/capacity': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Forecast of eight weeks: finish dates and load of people
     * @description Computed ahead by workers and renewed about a second after a change, so `today` and the figures are those of the newest snapshot. The first call for a scope, week and day waits for it, up to ten seconds, then answers 503 with Retry-After.
     *
     *     Grants: workspaces:read, capacity:read, and read of tasks, requirements, releases and milestones; its user needs time oversight.
     */
    get: operations['getCapacity'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What changed in a workspace, oldest first
     * @description Who changed what of which item, and each field before and after. While `hasMore` is true, pass `nextAfter` as `after`; then poll with the `nextAfter` of the last answer, even if it was empty: nothing is missed and nothing comes twice. Start with `after=latest` to get only new changes. You get only rows that you can read now; an archived item has only its archiving. Ids are not in order.
     *
     *     Grants: workspaces:read and read of at least one work type; rows of comments need comments:read.
     */
    get: operations['listChanges'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/comments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Comments of an item, 100 per page
     * @description Newest first. While `hasMore` is true, pass the id of the last one as `before`.
     *
     *     Grants: comments:read and read of the item.
     */
    get: operations['listComments'];
    put?: never;
    /**
     * Comment on an item
     * @description Idempotent only with an `Idempotency-Key`: without one, read the comments and reconcile after an uncertain answer.
     *
     *     Grants: comments:write and read of the item.
     */
    post: operations['addComment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/item': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One work item
     * @description Read it before you update it: an update carries its `version`.
     *
     *     Grants: read of the item's resource and of its parents.
     */
    get: operations['getItem'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/items': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One page of work items of a type
     * @description In id order. While `hasMore` is true, pass `nextAfter` as `after`.
     *
     *     Grants: read of the type's resource and of the parents of each item.
     */
    get: operations['listItems'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/items/save': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create or update a work item
     * @description Creates without `record.id`; updates with `record.id` and the `record.version` that you read. Both carry `type`, `title`, `description`, `status` and `fields` of `record`; what may be left out is `ownerId` and the entries of `fields`, which then keep their values, while null clears them. Idempotent only with an `Idempotency-Key`: without one, read and reconcile after an uncertain answer.
     *
     *     Grants: write of the type's resource, and read of everything it links to.
     */
    post: operations['saveItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/labels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The labels of a workspace
     * @description By name, archived ones included. `items` counts the items that you can read.
     *
     *     Grants: read of at least one work type.
     */
    get: operations['listLabels'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/labels/save': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create, change or merge a label
     * @description Creates without `label.id`. With `label.mergeInto`, the items of the label get that label instead, `label.id` is deleted, and the answer is the label that remains. Names are unique in the workspace, ignoring case. Items keep their version. Idempotent only with an `Idempotency-Key`.
     *
     *     Grants: write of at least one work type; changing, archiving and merging need write of every work type, and the workspace's owner or a manager.
     */
    post: operations['saveLabel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Statuses, priorities and assignees of a workspace
     * @description Read it before you write: status and priority keys belong to the workspace.
     *
     *     Grants: workspaces:read and read of at least one work type.
     */
    get: operations['getOptions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/relations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Labels and dependencies of a work item
     * @description Only items that you can read. Read it before you save relations: a save carries its `version`.
     *
     *     Grants: read of the item's resource and of its parents.
     */
    get: operations['getRelations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/relations/save': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change labels and dependencies of a work item
     * @description Carries the item's `version` that you read, and raises it. `labels` and `blockedBy` replace the stored lists; a list that is left out is unchanged. Blockers that you can't read are kept. Circular dependencies are refused. Idempotent only with an `Idempotency-Key`: without one, read and reconcile after an uncertain answer.
     *
     *     Grants: write of the item's resource, and read of everything that blocks it.
     */
    post: operations['saveRelations'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/workspaces': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The active workspaces that you can read
     * @description Archived workspaces and ended memberships are left out.
     *
     *     Grants: workspaces:read.
     */
    get: operations['listWorkspaces'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  change: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Something changed
     * @description Sent to the URL of a webhook, which owners and managers of a workspace create on its page. It gets each change that its creator can read, at least once and in order. It follows Standard Webhooks: verify the body as it came with the secret of the webhook. A test has the type `webhook.test`.
     */
    post: operations['changeHappened'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    Capabilities: {
      actor: {
        /** Format: int64 */
        id: number;
        name: string;
      };
      apiVersion: string;
      authentication: {
        /** Format: date-time */
        expiresAt: string | null;
        keyName: string | null;
        /** @enum {string} */
        mode: 'key' | 'session';
      };
      /** @description For X-CSRF-Token on POST; null for keys, which need none. */
      csrfToken: string | null;
      grants: (
        | 'workspaces:read'
        | 'capacity:read'
        | 'tasks:read'
        | 'tasks:write'
        | 'requirements:read'
        | 'requirements:write'
        | 'goals:read'
        | 'goals:write'
        | 'releases:read'
        | 'releases:write'
        | 'milestones:read'
        | 'milestones:write'
        | 'comments:read'
        | 'comments:write'
      )[];
    };
    Capacity: {
      canManage: boolean;
      /**
       * Format: date
       * @description A Monday.
       */
      from: string;
      people: components['schemas']['PersonCapacity'][];
      projects: components['schemas']['ProjectForecast'][];
      scopeNote: string;
      timezone: string;
      /** Format: date */
      today: string;
      /** Format: int64 */
      weeks: number;
      /**
       * Format: int64
       * @description 0: all visible workspaces.
       */
      workspaceId: number;
    };
    Change: {
      /** @description Who made the change; null where a status changed by approval. */
      actor: {
        /** Format: int64 */
        id: number;
        name: string;
      } | null;
      /** Format: date-time */
      at: string;
      /** Format: int64 */
      commentId?: number;
      /** @description What changed, as `[before, after]`. `labels` has the names of all labels, `blockedBy` all blockers with their lags. `workspaceId` of `item.moved` is null for a workspace out of reach. `description` and `acceptance` are only `true`. */
      fields: {
        [key: string]:
          | (string | number | null)[]
          | string[][]
          | {
              /** Format: int64 */
              id: number;
              /** Format: int64 */
              lagDays: number;
            }[][]
          | true;
      };
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      itemId: number;
      /** @description The name that your own key had then; null for all other changes, and always in webhooks. */
      keyName: string | null;
      /** @enum {string} */
      kind:
        | 'item.created'
        | 'item.updated'
        | 'item.archived'
        | 'item.restored'
        | 'item.moved'
        | 'comment.created'
        | 'comment.updated'
        | 'comment.deleted';
      /** @description Current title of the item; of an item that left the workspace, the title then. */
      title: string;
      /**
       * @description Type of the item.
       * @enum {string}
       */
      type: 'task' | 'requirement' | 'goal' | 'release' | 'milestone';
      /**
       * Format: int64
       * @description Version of the item after the change.
       */
      version: number;
      /** @enum {string} */
      via: 'page' | 'rest' | 'agent' | 'job' | 'import' | 'cli';
    };
    ChangePage: {
      changes: components['schemas']['Change'][];
      hasMore: boolean;
      /** @description Pass it as `after` next time, even if the page is empty. It differs in each answer. */
      nextAfter: string;
    };
    Comment: {
      body: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: int64 */
      id: number;
    };
    CommentList: {
      comments: components['schemas']['Comment'][];
      hasMore: boolean;
    };
    Error: {
      /** @description What happened and what to do. The stable code is in the header X-Error-Code. */
      error: string;
    };
    ItemPage: {
      hasMore: boolean;
      items: components['schemas']['Work'][];
      /**
       * Format: int64
       * @description The last id on the page, or the `after` of the request when the page is empty.
       */
      nextAfter: number;
    };
    Label: {
      archived: boolean;
      /** @enum {string} */
      color: 'grey' | 'teal' | 'green' | 'amber' | 'pink' | 'violet';
      /** Format: int64 */
      id: number;
      /**
       * Format: int64
       * @description Number of items with this label that you can read.
       */
      items: number;
      name: string;
    };
    LabelList: {
      labels: components['schemas']['Label'][];
    };
    Options: {
      assignees: {
        /** Format: int64 */
        id: number;
        name: string;
      }[];
      priorities: {
        default: boolean;
        key: string;
        label: string;
        /** Format: int64 */
        rank: number;
      }[];
      statuses: {
        /** @description Reached or left on the web pages alone. */
        approval: boolean;
        closed: boolean;
        key: string;
        label: string;
        /** @enum {string} */
        status: 'planned' | 'in_progress' | 'blocked' | 'in_review' | 'pending_approval' | 'approved' | 'done' | 'cancelled';
        types: ('task' | 'requirement' | 'goal' | 'release' | 'milestone')[];
      }[];
    };
    PersonCapacity: {
      /** @description False: 40 hours are assumed. */
      confirmed: boolean;
      /** Format: int64 */
      id: number;
      name: string;
      weeklyHours: number;
      weeks: {
        allocatedHours: number;
        availableHours: number;
        loadPercent: number | null;
        overextended: boolean;
        overHours: number;
        plannedHours: number;
        recordedHours: number;
        /**
         * Format: date
         * @description Its Monday.
         */
        week: string;
      }[];
    };
    ProjectForecast: {
      /** Format: date */
      bufferedDate: string | null;
      bufferedHours: number;
      dataIncomplete: boolean;
      /** Format: date */
      forecastDate: string | null;
      /** Format: int64 */
      id: number;
      method: string;
      /** @enum {string} */
      outlook: 'no_scope' | 'needs_data' | 'needs_target' | 'overcommitted' | 'at_risk' | 'within_capacity';
      remainingHours: number;
      scopeHours: number;
      /** Format: date */
      targetDate: string | null;
      title: string;
      /** @description The last eight Mondays and today, oldest first. */
      trend: {
        /** Format: date */
        date: string;
        remainingHours: number;
        scopeHours: number;
        weightedProgress: number | null;
      }[];
      weightedProgress: number | null;
      /** @description By id. */
      work: {
        /** Format: int64 */
        assigneeId: number | null;
        /** Format: date */
        dueDate: string | null;
        estimatedHours: number | null;
        /** Format: date */
        forecastDate: string | null;
        /** Format: date */
        forecastStart: string | null;
        /** Format: int64 */
        id: number;
        issues: (
          | 'no_estimate'
          | 'over_estimate'
          | 'no_assignee'
          | 'assignee_left'
          | 'no_capacity'
          | 'unconfirmed_capacity'
          | 'overdue'
          | 'blocked'
        )[];
        /** @description The forecast is after the due date. Without a due date: after the project's target date. */
        late: boolean;
        progressPercent: number | null;
        /** @description What is left of the estimate: by its progress; without a progress, less the time recorded on the task. */
        remainingHours: number;
        /** Format: date */
        startDate: string | null;
        /** @description Canonical status. */
        status: string;
        title: string;
      }[];
    };
    Relations: {
      /** @description The items that must be done before this one can start. */
      blockedBy: {
        /** Format: int64 */
        id: number;
        /** Format: int64 */
        lagDays: number;
      }[];
      /** @description The items that wait for this one, up to 1000. */
      blocks: {
        /** Format: int64 */
        id: number;
        /** Format: int64 */
        lagDays: number;
      }[];
      /** Format: int64 */
      id: number;
      labels: {
        /** Format: int64 */
        id: number;
        name: string;
      }[];
      /** Format: int64 */
      version: number;
    };
    WebhookMessage: {
      data: components['schemas']['Change'];
      /**
       * Format: date-time
       * @description When it happened.
       */
      timestamp: string;
      /** @enum {string} */
      type:
        | 'item.created'
        | 'item.updated'
        | 'item.archived'
        | 'item.restored'
        | 'item.moved'
        | 'comment.created'
        | 'comment.updated'
        | 'comment.deleted';
    };
    Work: {
      description: string;
      fields: components['schemas']['WorkFields'];
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      ownerId?: number;
      /** @enum {string} */
      status: 'planned' | 'in_progress' | 'blocked' | 'in_review' | 'pending_approval' | 'approved' | 'done' | 'cancelled';
      title: string;
      /** @enum {string} */
      type: 'task' | 'requirement' | 'goal' | 'release' | 'milestone';
      /** Format: int64 */
      version: number;
    };
    WorkFields: {
      /** @description Only for the type `task` or `requirement`. */
      acceptance: string | null;
      /**
       * Format: date
       * @description Only for the type `goal`, `release`, or `milestone`.
       */
      actualDate: string | null;
      /** Format: int64 */
      assigneeId: number | null;
      readonly assigneeName: string | null;
      blockedReason: string | null;
      /** @description Only for the type `requirement`. */
      confidence: number | null;
      /** @description Only for the type `goal`. */
      current: number | null;
      /**
       * Format: date
       * @description Only for the type `task`, `requirement`, or `milestone`.
       */
      dueDate: string | null;
      /** @description Only for the type `requirement`. */
      effort: number | null;
      estimatedHours: number | null;
      /**
       * Format: int64
       * @description Only for the type `task`, `requirement`, `release`, or `milestone`.
       */
      goalId?: number | null;
      /** @description Only for the type `requirement`. */
      impact: number | null;
      /** @description Only for the type `goal`. */
      level: string | null;
      /**
       * Format: int64
       * @description Only for the type `requirement` or `goal`.
       */
      parentId: number | null;
      /**
       * Format: int64
       * @description Only for the type `task`.
       */
      parentItemId: number | null;
      priorityKey: string | null;
      progressPercent: number | null;
      /** @description Only for the type `requirement`. */
      reach: number | null;
      /** @description Only for the type `requirement`. */
      reachPeriod: string | null;
      /**
       * Format: int64
       * @description Only for the type `task`, `requirement`, or `milestone`.
       */
      releaseId: number | null;
      /**
       * Format: int64
       * @description Only for the type `task` or `milestone`.
       */
      requirementId: number | null;
      /** Format: date */
      startDate: string | null;
      statusKey: string | null;
      /** @description Only for the type `goal`. */
      target: number | null;
      /**
       * Format: date
       * @description Only for the type `requirement`, `goal`, `release`, or `milestone`.
       */
      targetDate: string | null;
      /** @description Only for the type `goal`. */
      unit: string | null;
      /** @description Only for the type `release`. */
      versionLabel: string | null;
    };
    /** @description Numbers other than 0 are at least 0.000001 in amount. */
    WorkFieldsInput: {
      /** @description Only for the type `task` or `requirement`. */
      acceptance?: string | null;
      /**
       * Format: date
       * @description Only for the type `goal`, `release`, or `milestone`.
       */
      actualDate?: string | null;
      /**
       * Format: int64
       * @description An `id` of `assignees` of GET /options.
       */
      assigneeId?: number | null;
      /** @description The name of the assignee. Read-only: set `assigneeId`. */
      readonly assigneeName?: string | null;
      /** @description Required with the status `blocked`; null with any other. */
      blockedReason?: string | null;
      /** @description Only for the type `requirement`. */
      confidence?: number | null;
      /** @description Only for the type `goal`. */
      current?: number | null;
      /**
       * Format: date
       * @description Only for the type `task`, `requirement`, or `milestone`.
       */
      dueDate?: string | null;
      /** @description Only for the type `requirement`. */
      effort?: number | null;
      estimatedHours?: number | null;
      /**
       * Format: int64
       * @description An `id` of GET /items with the type `goal`. Only for the type `task`, `requirement`, `release`, or `milestone`.
       */
      goalId?: number | null;
      /** @description Only for the type `requirement`. */
      impact?: number | null;
      /** @description Only for the type `goal`. */
      level?: string | null;
      /**
       * Format: int64
       * @description An `id` of GET /items with the same type. Only for the type `requirement` or `goal`.
       */
      parentId?: number | null;
      /**
       * Format: int64
       * @description An `id` of GET /items with the type `task` or `milestone`. Only for the type `task`.
       */
      parentItemId?: number | null;
      /** @description A `key` of `priorities` of GET /options. */
      priorityKey?: string | null;
      progressPercent?: number | null;
      /** @description Only for the type `requirement`. */
      reach?: number | null;
      /** @description Only for the type `requirement`. */
      reachPeriod?: string | null;
      /**
       * Format: int64
       * @description An `id` of GET /items with the type `release`. Only for the type `task`, `requirement`, or `milestone`.
       */
      releaseId?: number | null;
      /**
       * Format: int64
       * @description An `id` of GET /items with the type `requirement`. Only for the type `task` or `milestone`.
       */
      requirementId?: number | null;
      /**
       * Format: date
       * @description Not after `dueDate` or `targetDate`.
       */
      startDate?: string | null;
      /** @description The `key` of an entry of `statuses` of GET /options with this type and `status`; the first one when left out. */
      statusKey?: string | null;
      /** @description Only for the type `goal`. */
      target?: number | null;
      /**
       * Format: date
       * @description Only for the type `requirement`, `goal`, `release`, or `milestone`.
       */
      targetDate?: string | null;
      /** @description Only for the type `goal`. */
      unit?: string | null;
      /** @description Only for the type `release`. */
      versionLabel?: string | null;
    };
    /** @description Always `type`, `title`, `description`, `status` and `fields`, to create and to update; `fields` may be empty. `ownerId` and each entry of `fields` may be left out: it keeps its value, null clears it. An update has `id` and `version`, a creation neither. Links stay in the workspace, form no cycle and are at most 100 levels deep. */
    WorkInput: {
      description: string;
      fields: components['schemas']['WorkFieldsInput'];
      /**
       * Format: int64
       * @description The item to update. Leave it out to create an item.
       */
      id?: number;
      /**
       * Format: int64
       * @description An `id` of `assignees` of GET /options. Null clears it.
       */
      ownerId?: number | null;
      /**
       * @description A `status` that `statuses` of GET /options lists for the type. `pending_approval` and `approved` are entered and left on the web pages only: here that is 403.
       * @enum {string}
       */
      status: 'planned' | 'in_progress' | 'blocked' | 'in_review' | 'pending_approval' | 'approved' | 'done' | 'cancelled';
      /** @description One line with at least one visible character. */
      title: string;
      /**
       * @description Never changes: an update repeats it.
       * @enum {string}
       */
      type: 'task' | 'requirement' | 'goal' | 'release' | 'milestone';
      /**
       * Format: int64
       * @description The current version, which every answer with the item has.
       */
      version?: number;
    } & (unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown);
    Workspace: {
      /** Format: int64 */
      id: number;
      name: string;
      sample: boolean;
      /** Format: uuid */
      uuid: string;
    };
    WorkspaceList: {
      workspaces: components['schemas']['Workspace'][];
    };
  };
  responses: {
    /** @description The object does not exist, or the key or its user has no access. Both cases get the same answer. Lists, options, capacity and creations name the grants that the key lacks, such as `The key needs milestones:read`; `GET /item` and updates name none. */
    Forbidden: {
      headers: {
        /** @description Requests that the credential may make per minute. */
        'RateLimit-Limit'?: number;
        /** @description Requests left until the limit resets. */
        'RateLimit-Remaining'?: number;
        /** @description Seconds until the limit resets. */
        'RateLimit-Reset'?: number;
        /** @description The stable code of the error. */
        'X-Error-Code': 'forbidden';
        /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
        'X-Request-Id': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "You have no access to this, or it does not exist. Check the id, the grants of the key and the rights of its user."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The input is invalid. The message names the field or parameter. */
    InvalidRequest: {
      headers: {
        /** @description Requests that the credential may make per minute. */
        'RateLimit-Limit': number;
        /** @description Requests left until the limit resets. */
        'RateLimit-Remaining': number;
        /** @description Seconds until the limit resets. */
        'RateLimit-Reset': number;
        /** @description The stable code of the error. */
        'X-Error-Code': 'invalid_request';
        /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
        'X-Request-Id': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "workspaceId: give an id: a whole number from 1 to 9007199254740991."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Your copy, named by If-None-Match, is current. */
    NotModified: {
      headers: {
        /** @description Depends on the answer, and therefore on the caller's access. */
        ETag: string;
        /** @description Requests that the credential may make per minute. */
        'RateLimit-Limit': number;
        /** @description Requests left until the limit resets. */
        'RateLimit-Remaining': number;
        /** @description Seconds until the limit resets. */
        'RateLimit-Reset': number;
        /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
        'X-Request-Id': string;
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Too many requests. Wait as long as Retry-After says. */
    RateLimited: {
      headers: {
        /** @description Requests that the credential may make per minute. */
        'RateLimit-Limit': number;
        /** @description Requests left until the limit resets. */
        'RateLimit-Remaining': number;
        /** @description Seconds until the limit resets. */
        'RateLimit-Reset': number;
        /** @description Seconds to wait before a retry. */
        'Retry-After': number;
        /** @description The stable code of the error. */
        'X-Error-Code': 'rate_limited';
        /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
        'X-Request-Id': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "Too many requests. Wait 12 s, then try again."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The credential is missing, invalid, expired or given twice. */
    Unauthenticated: {
      headers: {
        /** @description Requests that the credential may make per minute. */
        'RateLimit-Limit'?: number;
        /** @description Requests left until the limit resets. */
        'RateLimit-Remaining'?: number;
        /** @description Seconds until the limit resets. */
        'RateLimit-Reset'?: number;
        /** @description The scheme to authenticate with. */
        'WWW-Authenticate': string;
        /** @description The stable code of the error. */
        'X-Error-Code': 'unauthenticated';
        /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
        'X-Request-Id': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "Send a REST key as X-API-Key: <key> or Authorization: ApiKey <key>."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Temporarily unavailable. Retry a write with its Idempotency-Key, or read and reconcile first. */
    Unavailable: {
      headers: {
        /** @description Requests that the credential may make per minute. */
        'RateLimit-Limit'?: number;
        /** @description Requests left until the limit resets. */
        'RateLimit-Remaining'?: number;
        /** @description Seconds until the limit resets. */
        'RateLimit-Reset'?: number;
        /** @description Seconds to wait before a retry. */
        'Retry-After': number;
        /** @description The stable code of the error. */
        'X-Error-Code': 'unavailable';
        /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
        'X-Request-Id': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "The service is temporarily unavailable. Wait, then try again."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The item has changed since it was read, or the Idempotency-Key was used for another change. Read again and reconcile. */
    VersionConflict: {
      headers: {
        /** @description Requests that the credential may make per minute. */
        'RateLimit-Limit': number;
        /** @description Requests left until the limit resets. */
        'RateLimit-Remaining': number;
        /** @description Seconds until the limit resets. */
        'RateLimit-Reset': number;
        /** @description The stable code of the error. */
        'X-Error-Code': 'version_conflict';
        /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
        'X-Request-Id': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "Item 42 is at version 8: read it again and reapply your change."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getCapabilities: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "apiVersion": "1.0.0",
           *       "authentication": {
           *         "mode": "key",
           *         "keyName": "Reporting",
           *         "expiresAt": "2027-01-01T00:00:00.000Z"
           *       },
           *       "actor": {
           *         "id": 3,
           *         "name": "Ana Ruiz"
           *       },
           *       "grants": [
           *         "workspaces:read",
           *         "tasks:read",
           *         "comments:read"
           *       ],
           *       "csrfToken": null
           *     }
           */
          'application/json': components['schemas']['Capabilities'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  getCapacity: {
    parameters: {
      query?: {
        /**
         * @description Any day of the first of the eight weeks, from 1900-01-01 to 2999-12-31; today when left out.
         * @example 2026-04-14
         */
        from?: string;
        /**
         * @description A workspace, or 0: all that you may oversee.
         * @example 1
         */
        workspaceId?: number;
      };
      header?: {
        /**
         * @description The ETag of your copy. The answer is 304 if it is still current.
         * @example "2jmj7l5rSw0yVb_vlWAYkK_YBwk"
         */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Depends on the answer, and therefore on the caller's access. */
          ETag: string;
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "workspaceId": 1,
           *       "today": "2026-04-14",
           *       "from": "2026-04-13",
           *       "weeks": 8,
           *       "timezone": "UTC",
           *       "canManage": false,
           *       "scopeNote": "Counts this workspace only. Work, time and plans elsewhere are not counted. Pages count them, so their dates may differ.",
           *       "projects": [
           *         {
           *           "id": 17,
           *           "title": "Passwords can be reset",
           *           "targetDate": "2026-04-30",
           *           "forecastDate": "2026-04-15",
           *           "bufferedDate": "2026-04-15",
           *           "scopeHours": 12,
           *           "remainingHours": 9,
           *           "bufferedHours": 10.8,
           *           "weightedProgress": 25,
           *           "outlook": "within_capacity",
           *           "method": "edf-daily/1",
           *           "dataIncomplete": false,
           *           "trend": [
           *             {
           *               "date": "2026-04-13",
           *               "scopeHours": 12,
           *               "remainingHours": 12,
           *               "weightedProgress": 0
           *             }
           *           ],
           *           "work": [
           *             {
           *               "id": 42,
           *               "title": "Expire reset links",
           *               "status": "in_progress",
           *               "assigneeId": 3,
           *               "startDate": "2026-04-13",
           *               "dueDate": "2026-04-17",
           *               "estimatedHours": 12,
           *               "progressPercent": 25,
           *               "remainingHours": 9,
           *               "forecastStart": "2026-04-14",
           *               "forecastDate": "2026-04-15",
           *               "late": false,
           *               "issues": []
           *             }
           *           ]
           *         }
           *       ],
           *       "people": [
           *         {
           *           "id": 3,
           *           "name": "Ana Ruiz",
           *           "weeklyHours": 40,
           *           "confirmed": true,
           *           "weeks": [
           *             {
           *               "week": "2026-04-13",
           *               "availableHours": 40,
           *               "allocatedHours": 12,
           *               "plannedHours": 6,
           *               "recordedHours": 3,
           *               "overHours": 0,
           *               "overextended": false,
           *               "loadPercent": 37.5
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Capacity'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  listChanges: {
    parameters: {
      query: {
        /**
         * @description `nextAfter` of the previous page. `0` starts with the oldest row, `latest` after the newest.
         * @example 1-9ix-2g
         */
        after?: string;
        /**
         * @description Rows of this item alone, from GET /items.
         * @example 42
         */
        itemId?: number;
        /**
         * @description The maximum number of rows on the page.
         * @example 50
         */
        limit?: number;
        /**
         * @description A workspace from GET /workspaces.
         * @example 1
         */
        workspaceId: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "changes": [
           *         {
           *           "id": 90,
           *           "at": "2026-04-14T09:21:07.113Z",
           *           "kind": "item.updated",
           *           "itemId": 42,
           *           "type": "task",
           *           "title": "Expire reset links",
           *           "version": 7,
           *           "actor": {
           *             "id": 3,
           *             "name": "Ana Ruiz"
           *           },
           *           "via": "rest",
           *           "keyName": "Reporting",
           *           "fields": {
           *             "status": [
           *               "planned",
           *               "in_progress"
           *             ],
           *             "statusKey": [
           *               "planned",
           *               "in_progress"
           *             ],
           *             "description": true
           *           }
           *         },
           *         {
           *           "id": 91,
           *           "at": "2026-04-14T09:26:53.589Z",
           *           "kind": "comment.created",
           *           "itemId": 42,
           *           "type": "task",
           *           "title": "Expire reset links",
           *           "version": 7,
           *           "actor": {
           *             "id": 3,
           *             "name": "Ana Ruiz"
           *           },
           *           "via": "page",
           *           "keyName": null,
           *           "commentId": 318,
           *           "fields": {}
           *         }
           *       ],
           *       "nextAfter": "s-Qm9hdHMgZ28gc2xvd2x5IGFsb25nIHRoZSByaXZlciB1bnRpbCB0aGV5IGFycml2",
           *       "hasMore": false
           *     }
           */
          'application/json': components['schemas']['ChangePage'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  listComments: {
    parameters: {
      query: {
        /**
         * @description A comment of this item, from an earlier page: answers those before it.
         * @example 320
         */
        before?: number;
        /**
         * @description The item, from GET /items.
         * @example 42
         */
        id: number;
        /**
         * @description A workspace from GET /workspaces.
         * @example 1
         */
        workspaceId: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "comments": [
           *         {
           *           "id": 318,
           *           "body": "The clock of the mail server is two minutes slow.",
           *           "createdAt": "2026-04-14T09:26:53.589Z"
           *         }
           *       ],
           *       "hasMore": false
           *     }
           */
          'application/json': components['schemas']['CommentList'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  addComment: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes retries safe. Use a new UUID for each change and the same one for its retries.
         * @example 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description At least one visible character. */
          body: string;
          /**
           * Format: int64
           * @description The item, from GET /items.
           */
          id: number;
          /**
           * Format: int64
           * @description A workspace from GET /workspaces.
           */
          workspaceId: number;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Nothing was changed. This is the answer to the first call with this Idempotency-Key. */
          'Idempotent-Replayed'?: 'true';
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 318,
           *       "body": "The clock of the mail server is two minutes slow.",
           *       "createdAt": "2026-04-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Comment'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  getItem: {
    parameters: {
      query: {
        /**
         * @description The item, from GET /items.
         * @example 42
         */
        id: number;
        /**
         * @description A workspace from GET /workspaces.
         * @example 1
         */
        workspaceId: number;
      };
      header?: {
        /**
         * @description The ETag of your copy. The answer is 304 if it is still current.
         * @example "2jmj7l5rSw0yVb_vlWAYkK_YBwk"
         */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Depends on the answer, and therefore on the caller's access. */
          ETag: string;
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 42,
           *       "type": "task",
           *       "title": "Expire reset links",
           *       "description": "Links in reset mails work for one hour.",
           *       "status": "in_progress",
           *       "version": 7,
           *       "ownerId": 3,
           *       "fields": {
           *         "acceptance": "A link that is older than one hour is refused.",
           *         "statusKey": "in_progress",
           *         "blockedReason": null,
           *         "priorityKey": "high",
           *         "assigneeId": 3,
           *         "startDate": "2026-04-13",
           *         "dueDate": "2026-04-17",
           *         "targetDate": null,
           *         "actualDate": null,
           *         "estimatedHours": 12,
           *         "progressPercent": 25,
           *         "versionLabel": null,
           *         "reach": null,
           *         "reachPeriod": null,
           *         "impact": null,
           *         "confidence": null,
           *         "effort": null,
           *         "level": null,
           *         "current": null,
           *         "target": null,
           *         "unit": null,
           *         "parentId": null,
           *         "parentItemId": null,
           *         "requirementId": 17,
           *         "releaseId": null,
           *         "goalId": null,
           *         "assigneeName": "Ana Ruiz"
           *       }
           *     }
           */
          'application/json': components['schemas']['Work'];
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  listItems: {
    parameters: {
      query: {
        /**
         * @description Exclusive item-id cursor: `nextAfter` of the previous page.
         * @example 0
         */
        after?: number;
        /**
         * @description Only items with this label, from GET /labels.
         * @example 5
         */
        label?: number;
        /**
         * @description The maximum number of items on the page.
         * @example 50
         */
        limit?: number;
        /**
         * @description Which type of item to list.
         * @example task
         */
        type?: 'task' | 'requirement' | 'goal' | 'release' | 'milestone';
        /**
         * @description A workspace from GET /workspaces.
         * @example 1
         */
        workspaceId: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 42,
           *           "type": "task",
           *           "title": "Expire reset links",
           *           "description": "Links in reset mails work for one hour.",
           *           "status": "in_progress",
           *           "version": 7,
           *           "ownerId": 3,
           *           "fields": {
           *             "acceptance": "A link that is older than one hour is refused.",
           *             "statusKey": "in_progress",
           *             "blockedReason": null,
           *             "priorityKey": "high",
           *             "assigneeId": 3,
           *             "startDate": "2026-04-13",
           *             "dueDate": "2026-04-17",
           *             "targetDate": null,
           *             "actualDate": null,
           *             "estimatedHours": 12,
           *             "progressPercent": 25,
           *             "versionLabel": null,
           *             "reach": null,
           *             "reachPeriod": null,
           *             "impact": null,
           *             "confidence": null,
           *             "effort": null,
           *             "level": null,
           *             "current": null,
           *             "target": null,
           *             "unit": null,
           *             "parentId": null,
           *             "parentItemId": null,
           *             "requirementId": 17,
           *             "releaseId": null,
           *             "goalId": null,
           *             "assigneeName": "Ana Ruiz"
           *           }
           *         }
           *       ],
           *       "hasMore": true,
           *       "nextAfter": 42
           *     }
           */
          'application/json': components['schemas']['ItemPage'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  saveItem: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes retries safe. Use a new UUID for each change and the same one for its retries.
         * @example 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          record: components['schemas']['WorkInput'];
          /**
           * Format: int64
           * @description A workspace from GET /workspaces.
           */
          workspaceId: number;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Nothing was changed. This is the answer to the first call with this Idempotency-Key. */
          'Idempotent-Replayed'?: 'true';
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 42,
           *       "type": "task",
           *       "title": "Expire reset links",
           *       "description": "Links in reset mails work for one hour.",
           *       "status": "in_progress",
           *       "version": 7,
           *       "ownerId": 3,
           *       "fields": {
           *         "acceptance": "A link that is older than one hour is refused.",
           *         "statusKey": "in_progress",
           *         "blockedReason": null,
           *         "priorityKey": "high",
           *         "assigneeId": 3,
           *         "startDate": "2026-04-13",
           *         "dueDate": "2026-04-17",
           *         "targetDate": null,
           *         "actualDate": null,
           *         "estimatedHours": 12,
           *         "progressPercent": 25,
           *         "versionLabel": null,
           *         "reach": null,
           *         "reachPeriod": null,
           *         "impact": null,
           *         "confidence": null,
           *         "effort": null,
           *         "level": null,
           *         "current": null,
           *         "target": null,
           *         "unit": null,
           *         "parentId": null,
           *         "parentItemId": null,
           *         "requirementId": 17,
           *         "releaseId": null,
           *         "goalId": null,
           *         "assigneeName": "Ana Ruiz"
           *       }
           *     }
           */
          'application/json': components['schemas']['Work'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  listLabels: {
    parameters: {
      query: {
        /**
         * @description A workspace from GET /workspaces.
         * @example 1
         */
        workspaceId: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "labels": [
           *         {
           *           "id": 5,
           *           "name": "Security",
           *           "color": "violet",
           *           "archived": false,
           *           "items": 12
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['LabelList'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  saveLabel: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes retries safe. Use a new UUID for each change and the same one for its retries.
         * @example 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          label: {
            archived?: boolean;
            /** @enum {string} */
            color?: 'grey' | 'teal' | 'green' | 'amber' | 'pink' | 'violet';
            /** Format: int64 */
            id?: number;
            /** Format: int64 */
            mergeInto?: number;
            name: string;
          };
          /**
           * Format: int64
           * @description A workspace from GET /workspaces.
           */
          workspaceId: number;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Nothing was changed. This is the answer to the first call with this Idempotency-Key. */
          'Idempotent-Replayed'?: 'true';
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 5,
           *       "name": "Security",
           *       "color": "violet",
           *       "archived": false,
           *       "items": 12
           *     }
           */
          'application/json': components['schemas']['Label'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  getOptions: {
    parameters: {
      query: {
        /**
         * @description A workspace from GET /workspaces.
         * @example 1
         */
        workspaceId: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statuses": [
           *         {
           *           "key": "in_progress",
           *           "label": "In progress",
           *           "status": "in_progress",
           *           "types": [
           *             "task",
           *             "goal"
           *           ],
           *           "closed": false,
           *           "approval": false
           *         }
           *       ],
           *       "priorities": [
           *         {
           *           "key": "normal",
           *           "label": "Normal",
           *           "rank": 2,
           *           "default": true
           *         }
           *       ],
           *       "assignees": [
           *         {
           *           "id": 3,
           *           "name": "Ana Ruiz"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Options'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  getRelations: {
    parameters: {
      query: {
        /**
         * @description The item, from GET /items.
         * @example 42
         */
        id: number;
        /**
         * @description A workspace from GET /workspaces.
         * @example 1
         */
        workspaceId: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 42,
           *       "version": 8,
           *       "labels": [
           *         {
           *           "id": 5,
           *           "name": "Security"
           *         }
           *       ],
           *       "blockedBy": [
           *         {
           *           "id": 38,
           *           "lagDays": 0
           *         }
           *       ],
           *       "blocks": [
           *         {
           *           "id": 51,
           *           "lagDays": 2
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Relations'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  saveRelations: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes retries safe. Use a new UUID for each change and the same one for its retries.
         * @example 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description All items that block this one. Left out: unchanged. A lag that is left out is unchanged, too. */
          blockedBy?: {
            /** Format: int64 */
            id: number;
            lagDays?: number;
          }[];
          /**
           * Format: int64
           * @description The item, from GET /items.
           */
          id: number;
          /** @description Ids from GET /labels. Left out: unchanged. */
          labels?: number[];
          /** Format: int64 */
          version: number;
          /**
           * Format: int64
           * @description A workspace from GET /workspaces.
           */
          workspaceId: number;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Nothing was changed. This is the answer to the first call with this Idempotency-Key. */
          'Idempotent-Replayed'?: 'true';
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 42,
           *       "version": 8,
           *       "labels": [
           *         {
           *           "id": 5,
           *           "name": "Security"
           *         }
           *       ],
           *       "blockedBy": [
           *         {
           *           "id": 38,
           *           "lagDays": 0
           *         }
           *       ],
           *       "blocks": [
           *         {
           *           "id": 51,
           *           "lagDays": 2
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Relations'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  listWorkspaces: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Requests that the credential may make per minute. */
          'RateLimit-Limit': number;
          /** @description Requests left until the limit resets. */
          'RateLimit-Remaining': number;
          /** @description Seconds until the limit resets. */
          'RateLimit-Reset': number;
          /** @description Identifies the request in the logs. It is the X-Request-Id of the request if that has this form, else a new one. */
          'X-Request-Id': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "workspaces": [
           *         {
           *           "id": 1,
           *           "name": "Apollo",
           *           "uuid": "7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11",
           *           "sample": false
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['WorkspaceList'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['Forbidden'];
      409: components['responses']['VersionConflict'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
    };
  };
  changeHappened: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Id of the change; the same at every attempt.
         * @example 90
         */
        'webhook-id': string;
        /**
         * @description `v1,` and the base64 of an HMAC-SHA256 of `id.timestamp.body`; two of them, with a space between, during a rotation.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': string;
        /**
         * @description The moment of the attempt, in seconds.
         * @example 1776158467
         */
        'webhook-timestamp': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookMessage'];
      };
    };
    responses: {
      /** @description The receiver accepted the message. Any 2xx within 15 s counts. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Any other status counts as failed. The message is retried ten times in three days. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
