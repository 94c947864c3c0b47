# SPDX-License-Identifier: Apache-2.0
# What moto lacks of RDS in a stack: it makes the password, and has an address at which a server can be. Python reads a file of
# this name when it starts. GATEBENCH_TEST_DATABASE is the address of the server.
import os

from moto.rds import models

create = models.DBInstance.create_from_cloudformation_json.__func__


def create_with_password(cls, name, resource, *more, **named):
    database = create(cls, name, resource, *more, **named)
    if resource["Properties"].get("ManageMasterUserPassword"):
        database.update(manage_master_user_password=True)
    return database


models.DBInstance.create_from_cloudformation_json = classmethod(create_with_password)
models.DBInstance.address = property(lambda database: os.environ["GATEBENCH_TEST_DATABASE"])
